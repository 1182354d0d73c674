import { readFileSync } from 'node:fs';
import { loadOrderingVectors } from '@hookproof/spec/vectors';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';

import { detected, mistakes } from './ordering-mistakes.ts';

const file = loadOrderingVectors();
const vectors = file.groups.flatMap((group) => group.vectors);

function readSpecFile(name: string): string {
  return readFileSync(new URL(`../../spec/vectors/${name}`, import.meta.url), 'utf8');
}

const schema = new Ajv2020({ strictTypes: false, allErrors: true }).compile(
  JSON.parse(readSpecFile('ordering.schema.json')),
);

test('the file matches its schema', () => {
  schema(file);
  expect(schema.errors).toBeNull();
});

test('the schema refuses a case without a comment and one with an unknown key', () => {
  const broken = structuredClone(file);
  Object.assign(broken.groups[0]?.vectors[0] ?? {}, { comment: '', extra: true });
  expect(schema(broken)).toBe(false);
});

test('the file states the number of its cases', () => {
  expect(file.numberOfVectors).toBe(vectors.length);
});

test('ids and group names are unique, and a repeated event is the same event', () => {
  const ids = vectors.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  const names = file.groups.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  for (const { events } of vectors) {
    const distinct = new Set(events.map((event) => JSON.stringify(event)));
    expect(distinct.size).toBe(new Set(events.map(({ id }) => id)).size);
  }
});

test('every event is a step or impossible, once', () => {
  for (const { id, events, timeline } of vectors) {
    const known = [...new Set(events.map((event) => event.id))].toSorted();
    expect([...timeline.steps, ...timeline.impossible].toSorted(), id).toEqual(known);
  }
});

test('every flag has a note and every note is used', () => {
  const used = new Set(vectors.flatMap(({ flags }) => flags));
  expect([...used].toSorted()).toEqual(Object.keys(file.notes).toSorted());
});

test('the file is ASCII and ends with one line feed', () => {
  expect(readSpecFile('ordering.json')).toMatch(/^[\n\u0020-\u007e]*\}\n$/);
});

describe.each(Object.entries(mistakes))('the mistake %s', (flag, resolve) => {
  const flagged = vectors.filter(({ flags }) => flags.includes(flag));

  test('is detected by every case with its flag', () => {
    expect(flagged.length).toBeGreaterThan(0);
    const missed = flagged.filter((vector) => !detected(resolve, vector));
    expect(missed.map(({ id }) => id)).toEqual([]);
  });
});

test('every flag that is a mistake of the order has a program with the mistake', () => {
  expect(Object.keys(mistakes).toSorted()).toEqual(Object.keys(file.notes).toSorted());
});
