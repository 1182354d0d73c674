import type { ReadonlyState } from '../state/state.ts';

/**
 * Makes the bytes of a state: JSON in UTF-8, good until the next call. Most of a large state are records
 * that never change again. Those are frozen, so that a change would be an error and not a lost write,
 * and their bytes are kept for the next time.
 */
export function stateSerialiser(): (state: ReadonlyState) => Buffer {
  const kept = new WeakMap<object, Buffer>();
  let memory = Buffer.alloc(0);

  /** The members of a collection keyed by id, each with the comma that goes before the next. */
  function members<T extends { readonly id: string }>(
    records: Readonly<Record<string, T>>,
    isFinal: (record: T) => boolean,
  ): Buffer[] {
    const all = Object.values(records).map((record) => {
      const known = kept.get(record);
      if (known !== undefined) return known;
      const bytes = Buffer.from(`${JSON.stringify(record.id)}:${JSON.stringify(record)},`);
      if (isFinal(record)) kept.set(freeze(record), bytes);
      return bytes;
    });
    const last = all.pop();
    return last === undefined ? all : [...all, last.subarray(0, -1)];
  }

  /** Always into the same memory: the system needs longer to find new memory than we to fill it. */
  function join(parts: readonly Buffer[]): Buffer {
    const size = parts.reduce((sum, { length }) => sum + length, 0);
    if (memory.length < size) memory = Buffer.allocUnsafe(size * 2);
    let end = 0;
    for (const part of parts) end += part.copy(memory, end);
    return memory.subarray(0, end);
  }

  return ({ runs, events, ...rest }) =>
    join([
      Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"runs":{`),
      ...members(runs, ({ completedAt }) => completedAt !== null),
      Buffer.from('},"events":{'),
      ...members(events, () => true),
      Buffer.from('}}'),
    ]);
}

function freeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) freeze(inner);
  }
  return Object.freeze(value);
}
