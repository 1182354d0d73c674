import { memoryStore } from '@hookproof/receiver/memory';
import { postgresStore } from '@hookproof/receiver/postgres';
import { Pool } from 'pg';
import { describe, expect, test } from 'vitest';

import { startedReceiver } from '../../started-receiver.ts';
import { incoming } from '../open-store.ts';

const untyped = (options: object): unknown => Reflect.apply(postgresStore, null, [options]);

describe('postgresStore', () => {
  const unused = new Pool({ max: 2 });

  test.each([
    [{ pool: unused }, 'max of pool must be at least 3, got 2.'],
    [{ sql: { options: { max: 1 } } }, 'max of sql must be at least 3, got 1.'],
    [{}, 'postgresStore() must get exactly one of pool and sql, got none.'],
    [{ pool: unused, sql: {} }, 'got pool and sql.'],
    [{ pool: unused, shema: 'x' }, 'Unknown option "shema". Did you mean schema?'],
    [{ pool: unused, schema: 'Robert; DROP' }, 'schema must consist of lower case letters'],
  ])('refuses unfit options (%#)', (options, message) => {
    expect(() => untyped(options)).toThrow(TypeError);
    expect(() => untyped(options)).toThrow(message);
  });

  test('a pool that is too small for the handlers is reported at the start', async () => {
    const { maxTransactions } = postgresStore({ pool: new Pool({ max: 10 }) });
    const { problems } = await startedReceiver({ store: { ...memoryStore(), maxTransactions } });
    expect(problems).toMatchObject([
      { code: 'pool_small', message: expect.stringContaining('Raise max of the pool by 9') },
    ]);
  });

  test('a closed store refuses calls', async () => {
    const store = postgresStore({ pool: new Pool() });
    await expect(store.accept(incoming('whev_1'))).rejects.toMatchObject({ code: 'store_closed' });
  });
});
