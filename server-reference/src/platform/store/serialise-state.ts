import type { ReadonlyState } from '../state/state.ts';

/**
 * Creates a function that serialises a state as JSON in UTF-8. Its result is valid until the next call. Most
 * records of a large state are final: their bytes are cached, and they are frozen, so that a later change
 * throws and is not lost.
 */
export function stateSerialiser(): (state: ReadonlyState) => Buffer {
  const cached = new WeakMap<object, Buffer>();
  let buffer = Buffer.alloc(0);

  /** Serialises the members of a collection. Each but the last ends with a comma. */
  function members<T extends { readonly id: string }>(
    records: Readonly<Record<string, T>>,
    isFinal: (record: T) => boolean,
  ): Buffer[] {
    const all = Object.values(records).map((record) => {
      const existing = cached.get(record);
      if (existing !== undefined) return existing;
      const bytes = Buffer.from(`${JSON.stringify(record.id)}:${JSON.stringify(record)},`);
      if (isFinal(record)) cached.set(freeze(record), bytes);
      return bytes;
    });
    const last = all.pop();
    return last === undefined ? all : [...all, last.subarray(0, -1)];
  }

  /** Reuses one buffer, because an allocation takes longer than the copy. */
  function join(parts: readonly Buffer[]): Buffer {
    const size = parts.reduce((sum, { length }) => sum + length, 0);
    if (buffer.length < size) buffer = Buffer.allocUnsafe(size * 2);
    let end = 0;
    for (const part of parts) end += part.copy(buffer, end);
    return buffer.subarray(0, end);
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
