import { correctionsOf } from '../resources/present-review.ts';
import { valueOf } from '../state/large-value.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { ReviewRecord } from '../state/runs.ts';

/**
 * Returns the output that a review expects: its corrected output, or else the output of the run with the
 * corrections of fields. A correction whose path is no JSON Pointer into the output is passed over.
 */
export function correctedOutput(
  review: DeepReadonly<ReviewRecord> | null | undefined,
  output: unknown,
): unknown {
  if (review == null) return output;
  const whole = valueOf(review.correctedOutput);
  if (whole !== null) return whole;
  return correctionsOf(review)
    .filter(({ kind }) => kind === 'field')
    .reduce<unknown>(
      (json, { path, correctedValue }) => withValue(json, tokensOf(path ?? ''), correctedValue),
      output,
    );
}

/** Returns the tokens of a JSON Pointer (RFC 6901); null for another text. */
function tokensOf(pointer: string): string[] | null {
  if (pointer !== '' && !pointer.startsWith('/')) return null;
  const tokens = pointer.split('/').slice(1);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns a copy of `json` with the value at a place whose parent exists, else `json` itself. */
function withValue(json: unknown, tokens: readonly string[] | null, value: unknown): unknown {
  if (tokens === null) return json;
  const [token, ...rest] = tokens;
  if (token === undefined) return value;
  if (Array.isArray(json)) {
    const index = token === '-' ? json.length : indexOf(token);
    const isInside = index < json.length || (index === json.length && rest.length === 0);
    return isInside ? json.toSpliced(index, 1, withValue(json[index], rest, value)) : json;
  }
  if (typeof json !== 'object' || json === null) return json;
  const members = new Map<string, unknown>(Object.entries(json));
  if (rest.length > 0 && !members.has(token)) return json;
  return Object.fromEntries(members.set(token, withValue(members.get(token), rest, value)));
}

function indexOf(token: string): number {
  return /^(0|[1-9][0-9]{0,8})$/.test(token) ? Number(token) : Number.POSITIVE_INFINITY;
}
