import { WebhookVerificationError, createVerifier, verify } from '@hookproof/receiver/verify';
import * as webDoor from '@hookproof/receiver/verify-web';
import { loadSignatureVectors, prepareVector } from '@hookproof/spec/vectors';
import type { HeaderPair } from '@hookproof/spec/vectors';
import { expect, test } from 'vitest';

const cases = loadSignatureVectors().groups.flatMap((group) =>
  group.vectors.map((vector) => ({ group, vector })),
);

/** Names and values alternate, as in `rawHeaders` of Node. */
function nodeRequest(headers: readonly HeaderPair[]): { rawHeaders: readonly string[] } {
  return { rawHeaders: headers.flat() };
}

function record(headers: readonly HeaderPair[]): Record<string, readonly string[]> {
  const values: Record<string, string[]> = {};
  for (const [name, value] of headers) (values[name] ??= []).push(value);
  return values;
}

function codeOf(action: () => unknown): string | null {
  try {
    action();
    return null;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    throw error;
  }
}

async function codeOfPromise(verifying: Promise<unknown>): Promise<string | null> {
  try {
    await verifying;
    return null;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    throw error;
  }
}

test.each(cases)('$vector.id', async ({ group, vector }) => {
  const { body } = prepareVector(vector, group);
  const options = { secrets: group.secret, now: () => group.now * 1000 };
  const isAccepted = vector.code === null || vector.envelope !== null;
  for (const headers of [nodeRequest(vector.headers), record(vector.headers)]) {
    expect(codeOf(() => verify(body, headers, options))).toBe(vector.code);
    if (vector.result === 'freedom') continue;
    const code = codeOf(() => createVerifier(options).verifySignature(headers, body));
    expect(code === null).toBe(isAccepted);
  }
  const onWebCrypto = webDoor.verify(body, record(vector.headers), options);
  expect(await codeOfPromise(onWebCrypto), 'on Web Crypto').toBe(vector.code);

  const other = { secret: 'whsec_YSBzZWNyZXQgb2YgdGhlIG1vbWVudA==', now: 1_800_000_000 };
  const prepared = prepareVector(vector, other);
  const request = nodeRequest(prepared.headers);
  const sendOptions = { secrets: other.secret, now: () => other.now * 1000 + 999 };
  const code = codeOf(() => verify(prepared.body, request, sendOptions));
  expect(code, 'prepared for another time and secret').toBe(vector.code);
});

const fetchCases = cases.filter(({ vector }) => vector.overHttp);

test.each(fetchCases)(
  '$vector.id in a Fetch Headers gets the same verdict',
  async ({ group, vector }) => {
    const headers = new Headers();
    for (const [name, value] of vector.headers) headers.append(name, value);
    const { body } = prepareVector(vector, group);
    const options = { secrets: group.secret, now: () => group.now * 1000 };
    const code = codeOf(() => verify(body, headers, options));
    // Fetch joins a repeated header with a comma, which no form allows.
    expect(code === null).toBe(vector.code === null);
    if (vector.code !== 'header_repeated') expect(code).toBe(vector.code);
    expect(await codeOfPromise(webDoor.verify(body, headers, options))).toBe(code);
  },
);

test('secretEncoding base64 accepts only the vector that was signed with it', () => {
  const accepted = cases.filter(({ group, vector }) => {
    const { body } = prepareVector(vector, group);
    const options = {
      secrets: group.secret,
      secretEncoding: 'base64',
      now: () => group.now * 1000,
    } as const;
    return codeOf(() => verify(body, nodeRequest(vector.headers), options)) === null;
  });
  expect(accepted.map(({ vector }) => vector.id)).toEqual(['signature-secret-decoded']);
});
