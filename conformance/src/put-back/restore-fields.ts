import { isDeepStrictEqual } from 'node:util';

import type { ApiClient } from '../clients/api-client.ts';
import { findEntry } from '../clients/find-entry.ts';
import type { Restoration } from '../journal/undo.ts';
import { Inconclusive } from '../verdict/findings.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Sets the fields of a resource to their recorded values, and reads it again. Returns what still differs, or null.
 * Throws `Inconclusive` when the resource cannot be read.
 */
export async function restoreFields(api: ApiClient, undo: Restoration): Promise<string | null> {
  const { key, write, fields } = undo;
  let differing = await differences(api, undo);
  // An API may need every field, or refuse a null; so the last bodies have one field each.
  const bodies = [
    fields,
    withoutNulls(fields),
    ...differing.map(({ name, was }) => ({ [name]: was })),
  ];
  for (const json of bodies) {
    if (differing.length === 0) return null;
    await api.send({ method: 'PATCH', path: write.path, key, json });
    differing = await differences(api, undo);
  }
  if (differing.length === 0) return null;
  const texts = differing.map(({ name, was, is }) => `${name} was ${show(was)} and is ${show(is)}`);
  return `${undo.what}: ${texts.join('; ')}`;
}

interface Difference {
  readonly name: string;
  readonly was: unknown;
  readonly is: unknown;
}

async function differences(api: ApiClient, undo: Restoration): Promise<Difference[]> {
  const current = await readCurrent(api, undo);
  return Object.entries(undo.fields)
    .map(([name, was]) => ({ name, was, is: current[name] }))
    .filter(({ was, is }) => !isDeepStrictEqual(was, is));
}

async function readCurrent(api: ApiClient, { what, key, read }: Restoration): Promise<Fields> {
  const { entry } = await findEntry(api, read.path, { id: read.id, key });
  if (entry !== null) return entry;
  throw new Inconclusive(`${what} cannot be read: GET ${read.path} does not list ${read.id}.`);
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function show(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
