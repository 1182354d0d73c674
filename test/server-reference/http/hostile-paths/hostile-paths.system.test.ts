import { expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { recordingLogger } from '../../store/recording-logger.ts';
import { HOSTILE_SPELLINGS } from './corpus.ts';
import { pathPlaces } from './path-operations.ts';
import { expectRefusalsInMemory, expectRefusalsOnFolder, start } from './refusals.ts';

/** The long run sends every spelling in every path. */
const PARTS = 20;

test('the corpus has no spelling twice', () => {
  expect(new Set(HOSTILE_SPELLINGS).size).toBe(HOSTILE_SPELLINGS.length);
});

test('every spelling in some paths, a twentieth in every path, is refused (folder)', async () => {
  await expectRefusalsOnFolder({ parts: PARTS, first: 0 });
});

test('every spelling in some paths, another twentieth in every path, is refused (memory)', async () => {
  await expectRefusalsInMemory({ parts: PARTS, first: PARTS / 2 });
});

test('the same requests with valid values succeed', async () => {
  const server = await start({ kind: 'memory' }, recordingLogger());
  const places = pathPlaces(server.world).filter(
    ({ method, operationId }) =>
      method === 'GET' || operationId === 'renameExpectedFile' || operationId === 'deleteInputFile',
  );
  expect(pathPlaces(server.world).length).toBeGreaterThanOrEqual(PARTS);
  // Reads come first, because a rename moves what they read.
  const isWrite = ({ method }: (typeof places)[number]): number => (method === 'GET' ? 0 : 1);
  places.sort((one, other) => isWrite(one) - isWrite(other));
  const done = new Set<string>();
  for (const { operationId, method, before, after, valid, body } of places) {
    if (done.has(operationId)) continue;
    done.add(operationId);
    const response = await call(server.baseUrl, {
      method: method as 'GET',
      path: before + valid + after,
      key: server.world.keys.wildcard,
      ...(body === '' ? {} : { json: JSON.parse(body) }),
    });
    expect([operationId, response.status < 300]).toEqual([operationId, true]);
  }
  expect(done.size).toBeGreaterThan(8);
});
