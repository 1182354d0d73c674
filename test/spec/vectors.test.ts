import { readFileSync } from 'node:fs';
import { loadSignatureVectors, prepareVector } from '@hookproof/spec/vectors';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';

const file = loadSignatureVectors();
const cases = file.groups.flatMap((group) => group.vectors.map((vector) => ({ group, vector })));
const vectors = cases.map(({ vector }) => vector);

function readSpecFile(name: string): string {
  return readFileSync(new URL(`../../spec/vectors/${name}`, import.meta.url), 'utf8');
}

test('the file matches its schema', () => {
  const validate = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(
    JSON.parse(readSpecFile('signature.schema.json')),
  );
  validate(file);
  expect(validate.errors).toBeNull();
});

test('the schema refuses a case without a comment and one with an unknown key', () => {
  const validate = new Ajv2020({ strictTypes: false }).compile(
    JSON.parse(readSpecFile('signature.schema.json')),
  );
  const broken = structuredClone(file);
  Object.assign(broken.groups[0]?.vectors[0] ?? {}, { comment: '', extra: true });
  expect(validate(broken)).toBe(false);
});

test('the file states the number of its cases', () => {
  expect(file.numberOfVectors).toBe(vectors.length);
});

test('ids and group names are unique', () => {
  const ids = vectors.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  const names = file.groups.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test('every flag has a note and every note is used', () => {
  const used = new Set(vectors.flatMap(({ flags }) => flags));
  expect([...used].toSorted()).toEqual(Object.keys(file.notes).toSorted());
});

test('the file is ASCII and ends with one line feed', () => {
  const text = readSpecFile('signature.json');
  expect(text).toMatch(/^[\n\u0020-\u007e]*\}\n$/);
});

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
