import { readFileSync } from 'node:fs';

import { isoTime } from '../../clock/clock.ts';
import { nextId } from '../../store/seed.ts';
import type { State, Tables } from '../../store/state.ts';
import type { Table } from '../../store/table.ts';
import type { World } from '../../store/world.ts';
import { WORLD_FOLDER } from './assets.ts';

/** The records of a new world, by table. */
export type SampleRecords = {
  readonly [Name in keyof Tables]: Tables[Name] extends Table<infer _Id, infer Item>
    ? readonly Item[]
    : never;
} & { readonly worlds: readonly [World] };

/**
 * The sample data in the form of the data file, a record a line. In its texts stand `{{exec_7}}` for the seventh id that a
 * world draws, `{{exec_7:tail}}` for the last six digits of that id, `{{7}}` for its number, and `{{-48h}}` and `{{-30s}}` for
 * times before the world is created.
 */
const TEXT = readFileSync(new URL('sample.json', WORLD_FOLDER), 'utf8');
const ID = /\{\{([a-z]+_)(\d+)(:tail)?\}\}/g;
const NUMBER = /"\{\{(\d+)\}\}"/g;
const TIME = /\{\{(-?[\d.]+)([hs])\}\}/g;
const MILLISECONDS: Readonly<Record<string, number>> = { h: 3_600_000, s: 1_000 };
const TAIL_CHARACTERS = 6;

/** The prefix of each id that a world draws, in their order. Those without a record have none. */
const PREFIXES: readonly string[] = readPrefixes();

/**
 * Returns the sample data with ids of the state.
 *
 * @param now - milliseconds since the epoch; every time is counted from it
 */
export function sampleRecords(state: State, now: number): SampleRecords {
  const { drawn } = state.ids;
  const ids: readonly string[] = PREFIXES.map((prefix) => nextId(state, prefix));
  const text = TEXT.replaceAll(ID, (_, _prefix, number: string, tail?: string) => {
    const id = ids[Number(number) - 1] ?? '';
    return tail === undefined ? id : id.slice(-TAIL_CHARACTERS);
  })
    .replaceAll(NUMBER, (_, number: string) => String(drawn + Number(number)))
    .replaceAll(TIME, (_, count: string, unit: string) =>
      isoTime(now + Number(count) * (MILLISECONDS[unit] ?? 0)),
    );
  return JSON.parse(text);
}

/** Adds the records of some tables. */
export function addRecords(
  state: State,
  records: SampleRecords,
  names: readonly (keyof SampleRecords)[],
): void {
  for (const name of names) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the records are those of this table
    const table = state[name] as unknown as Table<string, object>;
    for (const record of records[name] ?? []) table.add(record);
  }
}

function readPrefixes(): string[] {
  const byNumber = new Map<number, string>();
  for (const [, prefix = '', number] of TEXT.matchAll(ID)) byNumber.set(Number(number), prefix);
  const count = Math.max(...byNumber.keys());
  return Array.from({ length: count }, (_, index) => byNumber.get(index + 1) ?? '');
}
