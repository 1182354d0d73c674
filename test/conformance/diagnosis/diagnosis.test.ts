import { describe, expect, test } from 'vitest';

import { checks } from '@hookproof/conformance';
import type { HttpExchange, Side } from '@hookproof/conformance';
import { loadSignatureVectors } from '@hookproof/spec/vectors';

import { areaCause, diagnose } from '../../../conformance/src/diagnosis/diagnose.ts';
import { causeOfAccepted } from '../../../conformance/src/diagnosis/vector-causes.ts';

/** A request of the suite with its response. */
function exchange(
  status: number,
  more: { readonly method?: string; readonly key?: true; readonly type?: string } = {},
): HttpExchange {
  const { method = 'GET', key, type = 'application/json' } = more;
  return {
    sentBy: 'suite',
    request: {
      method,
      url: 'https://api.example/v1/x',
      headers: key === true ? [['Authorization', 'Bearer $HOOKPROOF_KEY']] : [],
      body: null,
    },
    response: { status, headers: [['Content-Type', type]], body: '{}' },
  };
}

describe('the likely cause of a red', () => {
  test('and its fix are two different texts of whole sentences', () => {
    for (const { side, requirements } of checks) {
      const found = areaCause({ side, requirement: requirements[0] });
      if (found === null) continue;
      const { cause, fix } = found;
      for (const text of [cause, fix]) expect(text).toMatch(/^[A-Za-z\d].{20,}\.$/);
      expect(cause).not.toBe(fix);
    }
  });

  test.each([
    ['api', 'auth.missing-key', '401', exchange(200), 'registered before the step'],
    ['api', 'auth.missing-key', '401', exchange(404), 'before the key is checked'],
    ['api', 'auth.missing-key', '401', exchange(403), 'lacks a scope'],
    ['api', 'auth.invalid-key', '401', exchange(200, { key: true }), 'is not looked up'],
    ['api', 'auth.tenant.isolation', '404', exchange(200, { method: 'PATCH' }), 'The write finds'],
    ['api', 'auth.tenant.isolation', '404', exchange(200), 'without the tenant of the key'],
    ['api', 'inbox.limit.range', 'status 400', exchange(200), 'moved into its range'],
    ['api', 'inbox.limit.range', 'status 400', exchange(500), 'The handler throws'],
    ['api', 'inbox.page.fields', 'a body', exchange(502, { type: 'text/html' }), 'an HTML page'],
    ['api', 'inbox.page.fields', 'a 2xx', exchange(308), 'A redirect is sent before the API'],
    ['sender', 'delivery.end.other-4xx', 'no further attempt', exchange(404), 'Every response'],
    ['sender', 'delivery.success', 'no further attempt', exchange(204), 'Only 200'],
    ['sender', 'delivery.retry.5xx', 'second attempt', exchange(502), 'A 5xx'],
    ['sender', 'delivery.retry.425', 'second attempt', exchange(425), 'Every 4xx'],
    ['receiver', 'signature.raw-bytes', 'a 2xx', exchange(401), 're-serialized JSON'],
    ['receiver', 'signature.message.verified', 'a 2xx', exchange(401), 'other valid deliveries'],
    ['receiver', 'receiver.duplicate.acknowledged', 'a 2xx', exchange(500), 'handler throws'],
  ] satisfies [Side, string, string, HttpExchange, string][])(
    '%s %s, expected %s: follows from what was seen',
    (side, requirement, expected, seen, part) => {
      const symptom = { side, requirement, expected, actual: '', exchange: seen };
      expect(diagnose(symptom).cause).toContain(part);
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

  test('is that of the area without an exchange', () => {
    const symptom = { expected: 'second attempt', actual: 'none', exchange: null };
    expect(diagnose({ side: 'sender', requirement: 'delivery.retry.5xx', ...symptom })).toEqual(
      areaCause({ side: 'sender', requirement: 'delivery.retry.5xx' }),
    );
  });

  test('names the rule for a requirement without a usual cause', () => {
    const symptom = { expected: '42', actual: '', exchange: null };
    expect(diagnose({ side: 'api', requirement: 'own.rule', ...symptom })).toEqual({
      cause: 'The target does not do what own.rule states.',
      fix: 'Compare what handles the request shown with the rule.',
    });
  });
});
