import { describe, expect, test } from 'vitest';

import type { HttpExchange, Side } from '@hookproof/conformance';
import { loadSignatureVectors } from '@hookproof/spec/vectors';

import { observedCause } from '../../../conformance/src/diagnosis/observed.ts';
import { causeOfAccepted } from '../../../conformance/src/diagnosis/vector-causes.ts';

/** A request of the suite with its response. */
function exchange(status: number, type: string = 'application/json'): HttpExchange {
  return {
    sentBy: 'suite',
    request: { method: 'GET', url: 'https://api.example/v1/x', headers: [], body: null },
    response: { status, headers: [['Content-Type', type]], body: '{}' },
  };
}

describe('the likely cause of a failure', () => {
  test.each([
    ['api', 'a body', exchange(502, 'text/html'), 'an HTML page'],
    ['api', 'a 2xx', exchange(308), 'a redirect'],
    ['api', 'status 400', exchange(500), 'an internal error'],
    ['api', 'x-request-id equal to requestId, "a"', exchange(404), 'an x-request-id of its own'],
    ['api', 'a 2xx', exchange(415), 'A filter of content types'],
    ['api', 'a 2xx', exchange(405), 'no operation with this method'],
    ['receiver', 'a 2xx', exchange(413), 'body limit'],
    ['receiver', 'a 2xx', exchange(500), 'an error of its own'],
  ] satisfies [Side, string, HttpExchange, string][])(
    '%s, expected %s: is what the response names',
    (side, expected, seen, part) => {
      expect(observedCause({ side, expected, exchange: seen })?.cause).toContain(part);
    },
  );

  test.each([
    ['api', '401', exchange(200)],
    ['api', 'status 404', exchange(200)],
    ['api', 'a body that fits its schema', exchange(200)],
    ['sender', 'second attempt', exchange(502)],
    ['receiver', 'a 4xx', exchange(204)],
    ['receiver', 'a 2xx', null],
  ] satisfies [Side, string, HttpExchange | null][])(
    '%s, expected %s: is not guessed where the response does not name it',
    (side, expected, seen) => {
      expect(observedCause({ side, expected, exchange: seen })).toBe(null);
    },
  );

  test.each([
    [['signature-version-capital'], 'without regard to case'],
    [['signature-version-capital', 'signature-version-v0'], 'The version before the digest'],
    [['body-replacement-character'], 'decoded to text'],
    [['body-appended', 'body-reserialised'], 'parsed and serialized'],
    [['body-appended'], 'Blanks around the body'],
    [['body-byte-order-mark-removed'], 'byte order mark'],
    [['signature-other-body', 'body-bit-flipped', 'body-appended'], 'not a part of the text'],
    [['signature-digest-of-65-digits'], 'follows the 64th digit'],
    [['timestamp-trailing-letters'], 'as parseInt does'],
    [['timestamp-comma-list'], 'as parseInt does'],
    [['timestamp-repeated', 'signature-repeated-wrong-last'], 'a repeated header'],
  ])('of accepted vectors %j is the one that explains them all', (ids, part) => {
    const vectors = loadSignatureVectors().groups.flatMap((group) => group.vectors);
    const accepted = vectors.filter(({ id }) => ids.includes(id));
    expect(accepted).toHaveLength(ids.length);
    expect(causeOfAccepted(accepted)?.cause).toContain(part);
  });
});
