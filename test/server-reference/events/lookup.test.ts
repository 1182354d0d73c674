import type { lookup } from 'node:dns';

import { expect, test } from 'vitest';

import { guardedLookup } from '../../../server-reference/src/events/target.ts';
import { startControlled } from '../lab/control/control-client.ts';

/** A resolver that knows one name with these addresses. */
function resolverOf(...addresses: string[]): typeof lookup {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const resolve = (_name: string, _options: object, callback: (...result: unknown[]) => void) =>
    callback(null, found);
  return resolve as unknown as typeof lookup;
}

function lookUp(all: boolean, ...addresses: string[]): Promise<unknown> {
  const guarded = guardedLookup(
    new URL('http://two.example/'),
    new Set(),
    resolverOf(...addresses),
  );
  return new Promise((resolve, reject) => {
    guarded('two.example', { all }, (error, address, family) => {
      if (error === null) resolve(all ? address : { address, family });
      else reject(error);
    });
  });
}

test('a name is resolved to one address or to all', async () => {
  expect(await lookUp(false, '127.0.0.1', '::1')).toEqual({ address: '127.0.0.1', family: 4 });
  expect(await lookUp(true, '::1', '127.0.0.1')).toEqual([
    { address: '::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ]);
});

test.each([
  ['first', ['169.254.169.254', '127.0.0.1']],
  ['last', ['127.0.0.1', '::1', 'fe80::1%lo']],
  ['in the middle', ['::1', '::ffff:169.254.169.254', '127.0.0.1']],
])('a name is refused if the %s of its addresses is refused', async (_where, addresses) => {
  const refused = {
    code: 'target_refused',
    message: expect.stringMatching(/^two\.example points to .*, a link-local or cloud metadata/),
  };
  await expect(lookUp(true, ...addresses)).rejects.toMatchObject(refused);
  await expect(lookUp(false, ...addresses)).rejects.toMatchObject(refused);
});

test('the host of a container in Podman is a target: its name has one link-local address', async () => {
  const host = { address: '169.254.1.2', family: 4 };
  expect(await lookUp(false, '169.254.1.2')).toEqual(host);
  expect(await lookUp(true, '169.254.1.2', '::1')).toEqual([host, { address: '::1', family: 6 }]);
});

test('a name without an address is refused', async () => {
  await expect(lookUp(true)).rejects.toMatchObject({ code: 'target_refused' });
});

test('nothing is sent to a refused address that an interceptor puts in', async () => {
  const control = await startControlled({
    deliveryInterceptor: (order, next) =>
      next({ ...order, request: { ...order.request, url: 'http://2852039166/' } }),
  });
  await control.endpoint('http://127.0.0.1:9/');
  await control.run();
  await control.idle();
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'ended',
    endReason: 'target_refused',
    attempts: [
      {
        status: null,
        error: 'target_refused',
        detail: expect.stringMatching(/^the URL points to 169\.254\.169\.254, a link-local/),
        webhookTimestamp: null,
      },
    ],
  });
});
