/** What stands in front of the secret part, such as `hpk_` or `sk_live_`. */
const LABELS = /^(?:[a-z]{1,12}[_-]){0,3}/i;

/** The label of a key; empty without one. */
export function labelOf(key: string): string {
  return LABELS.exec(key)?.[0] ?? '';
}

/** The secret part of a key. */
export function withoutLabel(key: string): string {
  return key.slice(labelOf(key).length);
}
