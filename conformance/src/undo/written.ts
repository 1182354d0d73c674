import { createHash } from 'node:crypto';

import { isRecord } from '../http/message.ts';
import type { Restoration } from './undo.ts';

type Values = Readonly<Record<string, unknown>>;

/** Whether two values of a field are the same apart from the order of their lists and from members that are null. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));
}

/** Whether a field can have this value without anyone else: it had it before the run, or the run wrote it. */
export function isOurs({ fields, written }: Restoration, name: string, value: unknown): boolean {
  return isSame(value, fields[name]) || (written[name] ?? []).includes(digestOf(value));
}

/** The fields in which a value is neither the original nor one that the run wrote: somebody else's. */
export function theirsIn(undo: Restoration, values: Values): readonly string[] {
  return Object.keys(undo.fields).filter((name) => !isOurs(undo, name, values[name]));
}

/** The restoration with more values that the run writes. The same object when it knows them all. */
export function withWritten(undo: Restoration, values: Values): Restoration {
  const added = theirsIn(undo, values).filter((name) => name in values);
  if (added.length === 0) return undo;
  const more = added.map((name) => {
    const known = undo.written[name] ?? [];
    return [name, [...known, digestOf(values[name])]] as const;
  });
  return { ...undo, written: { ...undo.written, ...Object.fromEntries(more) } };
}

/** What a value is known by. Short, so that a journal of long texts stays small. */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(value)) ?? '')
    .digest('hex')
    .slice(0, 16);
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) {
    const texts = value.map((item) => JSON.stringify(canonical(item)) ?? 'null');
    return texts.toSorted().map((text): unknown => JSON.parse(text));
  }
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members
      .map(([name, member]) => [name, canonical(member)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
