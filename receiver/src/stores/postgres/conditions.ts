/** Conditions with `$1`, `$2`, …, and their values. */
export interface Conditions<Value> {
  readonly condition: string;
  readonly values: readonly Value[];
}

/** Joins the conditions that have a value. Each has one `?` for it. */
export function conditionsOf<Value>(
  parts: readonly (readonly [condition: string, value: Value | undefined])[],
): Conditions<Value> {
  const values: Value[] = [];
  const conditions: string[] = [];
  for (const [condition, value] of parts) {
    if (value === undefined) continue;
    values.push(value);
    conditions.push(condition.replace('?', `$${values.length}`));
  }
  return { condition: conditions.join(' AND '), values };
}
