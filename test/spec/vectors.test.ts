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

test('the file has at least 400 cases, and states their number', () => {
  expect(vectors.length).toBeGreaterThanOrEqual(400);
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

const has = (pattern: RegExp): number => vectors.filter(({ id }) => pattern.test(id)).length;

test.each([
  ['each header missing', /^(id|timestamp|signature)-missing$/, 3],
  ['each header empty', /^(id|timestamp|signature)-empty$/, 3],
  ['each header repeated', /^(id|timestamp|signature)-repeated$/, 3],
  ['lists of values', /-comma-list|signature-list-/, 5],
  ['digest short', /digest-of-(63|half)/, 2],
  ['digest long', /digest-of-6[56]/, 2],
  ['digest not hex', /digest-.*not-hex/, 2],
  ['digest in another case', /-(upper|mixed)-case$/, 2],
  ['digest in base64', /digest-base64/, 2],
  ['another secret, body, id, timestamp', /^signature-other-(secret|body|id|timestamp)$/, 4],
  ['secrets taken another way', /signature-secret-|empty-secret/, 4],
  ['edges of the tolerance', /^timestamp-(299|300|301)-seconds-(ago|ahead)$/, 6],
  ['lenient spellings of the timestamp', /^timestamp-(?!.*seconds-a)/, 30],
  ['byte order mark', /byte-order-mark/, 3],
  ['NUL', /nul/, 4],
  ['text that is not ASCII', /body-not-ascii/, 1],
  ['octets that are no UTF-8', /invalid-octet|overlong|surrogate/, 4],
  ['JSON written again', /reserialised|key-order|number-respelled|unescaped/, 4],
  ['an id with a dot', /id-with-dot|dot-moved/, 3],
])('the file has %s', (_, pattern, least) => {
  expect(has(pattern)).toBeGreaterThanOrEqual(least);
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
