import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

import * as door from '@hookproof/receiver/verify';
import * as webDoor from '@hookproof/receiver/verify-web';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, test } from 'vitest';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBlbmRwb2ludA==';
const NOW = Date.parse('2026-07-01T12:00:00.000Z');
const now = (): number => NOW;
const event = runCreatedEvent();
const delivery = signEvent(event, { secret: SECRET, now });
const options = { secrets: SECRET, now };

test('names everything of /verify but signingKey, which has its digests at once', () => {
  const names = Object.keys(door).filter((name) => name !== 'signingKey');
  expect(Object.keys(webDoor).toSorted()).toEqual(names.toSorted());
});

test('imports no node: module', () => {
  const entry = createRequire(import.meta.url).resolve('@hookproof/receiver/verify-web');
  const reached = new Set([pathToFileURL(entry).href]);
  for (const address of reached) {
    const text = readFileSync(new URL(address), 'utf8');
    expect(text, address).not.toMatch(/['"]node:/);
    for (const [, name = ''] of text.matchAll(/from '(\.[^']+)'/g)) {
      reached.add(new URL(name, address).href);
    }
  }
  expect([...reached].some((address) => address.endsWith('/verify/decode-event.js'))).toBe(true);
});

describe('a verifier on Web Crypto', () => {
  test('matches one of several secrets', async () => {
    const others = Array.from({ length: 6 }, (_, index) => `whsec_another ${index}`);
    const verifier = webDoor.createVerifier({ now, secrets: [...others, SECRET, 'whsec_last'] });
    const verified = await verifier.verifySignature(delivery.headers, delivery.body);
    expect(verified).toEqual({ id: event.id, timestamp: NOW / 1000, secretIndex: 6 });
  });

  test('decodes base64 secrets', async () => {
    const base64 = { ...options, secretEncoding: 'base64' } as const;
    const signed = signEvent(event, { secret: SECRET, secretEncoding: 'base64', now });
    expect(await webDoor.verify(signed.body, signed.headers, base64)).toEqual(event);
  });

  test('verifies the bytes of the moment of the call', async () => {
    const body = Uint8Array.from(delivery.body);
    const verified = webDoor.createVerifier(options).verifySignature(delivery.headers, body);
    body.fill(0);
    expect(await verified).toMatchObject({ id: event.id });
  });

  test.each([[undefined], [[]], ['c2VjcmV0'], [`${SECRET}\n`]])(
    'refuses the secrets %j',
    (secrets) => {
      const wrong = { secrets } as never;
      const message = messageOf(() => door.createVerifier(wrong));
      expect(message).not.toBe('');
      expect(messageOf(() => webDoor.createVerifier(wrong))).toBe(message);
    },
  );

  test.each([null, 'text', 7])('refuses the headers %j', async (headers) => {
    const verifying = webDoor.verify(delivery.body, headers as never, options);
    await expect(verifying).rejects.toThrow(TypeError);
    await expect(verifying).rejects.toThrow(
      /^headers must be a request, Headers or a record, got /,
    );
  });

  test.each(['text', null, new ArrayBuffer(2), { id: 1 }])('refuses the body %j', async (body) => {
    await expect(webDoor.verify(body as never, delivery.headers, options)).rejects.toThrow(
      /^rawBody must be a Buffer or Uint8Array, got /,
    );
  });
});

function messageOf(action: () => unknown): string {
  try {
    action();
    return '';
  } catch (error) {
    return error instanceof TypeError ? error.message : '';
  }
}
