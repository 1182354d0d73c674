import { expect, test } from 'vitest';

import { createPoster } from '../../../server-reference/src/sender/attempt.ts';
import { guardedLookup } from '../../../server-reference/src/sender/guarded-lookup.ts';

function lookUp(hostname: string, all: boolean): Promise<unknown> {
  return new Promise((resolve, reject) => {
    guardedLookup(hostname, { all }, (error, address, family) => {
      if (error === null) resolve(all ? address : { address, family });
      else reject(error);
    });
  });
}

test('a name of this machine is resolved, as one address or as all', async () => {
  expect(await lookUp('127.0.0.1', false)).toEqual({ address: '127.0.0.1', family: 4 });
  expect(await lookUp('127.0.0.1', true)).toEqual([{ address: '127.0.0.1', family: 4 }]);
});

test.each(['169.254.169.254', 'fe80::1', '::ffff:169.254.169.254'])(
  'a name that leads to %s is refused',
  async (address) => {
    await expect(lookUp(address, true)).rejects.toMatchObject({ code: 'target_refused' });
    await expect(lookUp(address, false)).rejects.toMatchObject({ code: 'target_refused' });
  },
);

test('a name that leads nowhere keeps the error of the resolver', async () => {
  await expect(lookUp('name.invalid', true)).rejects.toMatchObject({ syscall: 'getaddrinfo' });
});

test('an attempt at a refused address opens no connection', async () => {
  const poster = createPoster();

  const request = { headers: {}, body: Buffer.from('{}') };
  const refused = { outcome: { kind: 'refused' }, error: 'target_refused', responseBody: null };
  for (const url of ['http://169.254.169.254/', 'https://[fe80::1]/', 'http://2852039166/']) {
    expect(await poster.post({ ...request, url }).result).toMatchObject(refused);
  }
  poster.close();
});
