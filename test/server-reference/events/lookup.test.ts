import { lookup } from 'node:dns';

import { expect, test } from 'vitest';

import { addressRefusal } from '../../../server-reference/src/events/address.ts';
import { Poster } from '../../../server-reference/src/events/post.ts';
import { guardLookup } from '../../../server-reference/src/events/target.ts';

function lookUp(hostname: string, all: boolean, resolver = lookup): Promise<unknown> {
  return new Promise((resolve, reject) => {
    guardLookup(resolver, addressRefusal)(hostname, { all }, (error, address, family) => {
      if (error === null) resolve(all ? address : { address, family });
      else reject(error);
    });
  });
}

test('a name of this machine resolves to one address or to all', async () => {
  expect(await lookUp('127.0.0.1', false)).toEqual({ address: '127.0.0.1', family: 4 });
  expect(await lookUp('127.0.0.1', true)).toEqual([{ address: '127.0.0.1', family: 4 }]);
});

test.each(['169.254.169.254', 'fe80::1', '::ffff:169.254.169.254'])(
  'a name that resolves to %s is refused',
  async (address) => {
    await expect(lookUp(address, true)).rejects.toMatchObject({ code: 'target_refused' });
    await expect(lookUp(address, false)).rejects.toMatchObject({ code: 'target_refused' });
  },
);

/** A resolver that knows one name with these addresses, in the two forms of `node:dns`. */
function resolverOf(...addresses: string[]): typeof lookup {
  const response = (
    _hostname: string,
    _options: object,
    callback: (...response: unknown[]) => void,
  ) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  return response as unknown as typeof lookup;
}

test.each([
  ['first', ['169.254.169.254', '127.0.0.1']],
  ['last', ['127.0.0.1', '::1', 'fe80::1%lo']],
  ['in the middle', ['::1', '::ffff:169.254.169.254', '127.0.0.1']],
])('a name is refused if the %s of its addresses is refused', async (_where, all) => {
  const resolver = resolverOf(...all);
  await expect(lookUp('two.example', true, resolver)).rejects.toMatchObject({
    code: 'target_refused',
    message: expect.stringMatching(
      /^two\.example points to .*, a link-local or cloud metadata address/,
    ),
  });
  await expect(lookUp('two.example', false, resolver)).rejects.toThrow('two.example');
});

test('a name without an address is refused, and one with allowed addresses only is accepted', async () => {
  await expect(lookUp('none.example', true, resolverOf())).rejects.toThrow('none.example');
  expect(await lookUp('two.example', true, resolverOf('::1', '127.0.0.1'))).toHaveLength(2);
});

test('a name that resolves to another address is checked again', async () => {
  const resolvers = [resolverOf('127.0.0.1'), resolverOf('169.254.169.254')];
  let looked = 0;
  const rebinding = ((hostname: string, options: object, callback: () => void) => {
    const resolver = resolvers[looked] ?? expect.unreachable();
    looked += 1;
    resolver(hostname, options, callback);
  }) as unknown as typeof lookup;
  const good = { address: '127.0.0.1', family: 4 };
  expect(await lookUp('rebinding.example', true, rebinding)).toEqual([good]);
  expect(looked).toBe(1);
  await expect(lookUp('rebinding.example', true, rebinding)).rejects.toMatchObject({
    code: 'target_refused',
  });
});

test('a name that does not resolve keeps the error of the resolver', async () => {
  await expect(lookUp('name.invalid', true)).rejects.toMatchObject({ syscall: 'getaddrinfo' });
});

test.each(['http://169.254.169.254/', 'https://[fe80::1]/', 'http://2852039166/'])(
  'nothing is sent to %s',
  async (url) => {
    const result = await new Poster(new Set()).post({
      deliveryId: 'dlv_1',
      eventId: 'event_1',
      endpointId: 'whep_1',
      secret: 'whsec_1',
      request: { url, headers: {}, body: Buffer.from('{}') },
      startedAt: 0,
      signal: AbortSignal.any([]),
      tracked: { pause() {}, resume() {} },
      onRecorded() {},
    });
    expect(result).toMatchObject({
      status: null,
      error: 'target_refused',
      detail: expect.stringMatching(
        /^the URL points to .*, a link-local or cloud metadata address/,
      ),
      sent: null,
    });
  },
);
