import { loadSignatureVectors, prepareVector } from '@hookproof/spec/vectors';
import { describe, expect, test } from 'vitest';

const file = loadSignatureVectors();
const cases = file.groups.flatMap((group) => group.vectors.map((vector) => ({ group, vector })));
const vectors = cases.map(({ vector }) => vector);

test('accepted deliveries have unique event ids', () => {
  const ids = vectors
    .filter(({ result, overHttp }) => result !== 'invalid' && overHttp)
    .map(({ recipe }) => new Map(recipe.headers).get('webhook-id') ?? recipe.signedId);
  expect(ids).toEqual([...new Set(ids)]);
});

test('every body that is a valid event is a test event', () => {
  const events = vectors.filter(({ envelope }) => envelope === 'valid');
  expect(events.length).toBeGreaterThan(0);
  for (const { bodyBase64 } of events) {
    expect(JSON.parse(Buffer.from(bodyBase64, 'base64').toString())).toMatchObject({ test: true });
  }
});

describe('recipes', () => {
  test.each(cases)('the recipe of $vector.id reproduces the case', ({ group, vector }) => {
    const made = prepareVector(vector, group);
    expect(made.headers).toEqual(vector.headers);
    const { keyHex, id, timestamp, digest } = made.signed;
    expect(vector.signed).toMatchObject({ keyHex, id, timestamp, digest });
  });

  test('another secret and time fill all placeholders and change the signature', () => {
    const other = { secret: 'whsec_c29tZXRoaW5n', now: 1_900_000_000 };
    for (const vector of vectors) {
      expect(JSON.stringify(prepareVector(vector, other).headers)).not.toMatch(
        /\{(timestamp|digest)/,
      );
    }
    const [first] = vectors;
    expect(first && prepareVector(first, other).headers).not.toEqual(first?.headers);
  });
});

test.each([
  ['a missing id', 'id-missing'],
  ['a missing timestamp', 'timestamp-missing'],
  ['a missing signature', 'signature-missing'],
  ['an empty id', 'id-empty'],
  ['an empty timestamp', 'timestamp-empty'],
  ['an empty signature', 'signature-empty'],
  ['a repeated id', 'id-repeated'],
  ['a repeated timestamp', 'timestamp-repeated'],
  ['a repeated signature', 'signature-repeated'],
  ['a list of values', /-comma-list|signature-list-/],
  ['a short digest', /digest-of-(63|half)/],
  ['a long digest', /digest-of-6[56]/],
  ['a digest that is not hex', /digest-.*not-hex/],
  ['a digest in upper case', /-upper-case$/],
  ['a digest in mixed case', /-mixed-case$/],
  ['a digest in base64', /digest-base64/],
  ['the signature of another secret', 'signature-other-secret'],
  ['the signature of another body', 'signature-other-body'],
  ['the signature of another id', 'signature-other-id'],
  ['the signature of another timestamp', 'signature-other-timestamp'],
  ['a secret taken another way', /signature-secret-/],
  ['an empty secret', /empty-secret/],
  ['the last second of the tolerance', /^timestamp-300-seconds-ago$/],
  ['a second after the tolerance', /^timestamp-301-seconds-ago$/],
  ['the first second of the tolerance', /^timestamp-300-seconds-ahead$/],
  ['a second before the tolerance', /^timestamp-301-seconds-ahead$/],
  ['a lenient spelling of the timestamp', /^timestamp-(leading|trailing)/],
  ['a byte order mark', /byte-order-mark/],
  ['NUL', /nul/],
  ['text that is not ASCII', /body-not-ascii/],
  ['octets that are not UTF-8', /invalid-octet|overlong|surrogate/],
  ['JSON written again', /reserialised|key-order|number-respelled|unescaped/],
  ['an id with a dot', /id-with-dot|dot-moved/],
])('the file has %s', (_, id) => {
  const ids = vectors.map((vector) => vector.id);
  expect(ids).toContainEqual(typeof id === 'string' ? id : expect.stringMatching(id));
});

test('exactly the open points of the contract are marked as open', () => {
  for (const { flags, result, basis } of vectors) {
    const open = flags.includes('OpenPoint');
    expect({ result: result === 'freedom', basis: basis === 'open' }).toEqual({
      result: open,
      basis: open,
    });
  }
});
