import { isDeepStrictEqual } from 'node:util';

import type { ApiClient, ApiResponse } from '../clients/api-client.ts';
import { isRecord } from '../http/message.ts';
import type { FieldsUndo } from '../journal/undo.ts';
import { Inconclusive } from '../verdict/findings.ts';

type Fields = Readonly<Record<string, unknown>>;

const PAGE_SIZE = 100;
const MAX_ENTRIES = 2_000;

/**
 * Sets the fields of a resource to their recorded values, and reads it again. Returns what still differs, or null.
 * Throws `Inconclusive` when the resource cannot be read.
 */
export async function restoreFields(api: ApiClient, undo: FieldsUndo): Promise<string | null> {
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

async function differences(api: ApiClient, undo: FieldsUndo): Promise<Difference[]> {
  const current = await readCurrent(api, undo);
  return Object.entries(undo.fields)
    .map(([name, was]) => ({ name, was, is: current[name] }))
    .filter(({ was, is }) => !isDeepStrictEqual(was, is));
}

async function readCurrent(api: ApiClient, { what, key, read }: FieldsUndo): Promise<Fields> {
  if (read.id === undefined) {
    const { json, status } = await api.send({ path: read.path, key });
    if (isRecord(json) && status === 200) return json;
    throw new Inconclusive(`${what} cannot be read: GET ${read.path} got ${status}.`);
  }
  for (let offset = 0; offset < MAX_ENTRIES; offset += PAGE_SIZE) {
    const page = await api.send({ path: read.path, key, query: { limit: PAGE_SIZE, offset } });
    const entries = entriesOf(page);
    const found = entries.find((entry) => entry['id'] === read.id);
    if (found !== undefined) return found;
    if (entries.length < PAGE_SIZE) break;
  }
  throw new Inconclusive(`${what} cannot be read: GET ${read.path} does not list ${read.id}.`);
}

function entriesOf({ json }: ApiResponse): readonly Fields[] {
  const data = isRecord(json) ? json['data'] : undefined;
  return Array.isArray(data) ? data.filter(isRecord) : [];
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function show(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
