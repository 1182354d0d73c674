import { nestingDepth } from '../../json.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReviewRecord } from '../../store/runs.ts';

/** Corrections must not nest an output deeper than one request can: serializing it would overflow the stack. */
const MAX_NESTING = 500;

/**
 * Returns the output that a review expects: its corrected output, or else the output of the run with the
 * corrections of fields. A correction is ignored if its path is not a JSON Pointer into the output, or if it
 * would nest the output more than 500 levels deep.
 */
export function correctedOutput(
  review: DeepReadonly<ReviewRecord> | null | undefined,
  output: unknown,
): unknown {
  if (review == null) return output;
  const whole = review.correctedOutput;
  if (whole !== null) return whole;
  const corrections = review.corrections.filter(({ kind }) => kind === 'field');
  if (corrections.length === 0) return output;
  // One copy, because a copy for each correction would cost the square of the output.
  const root = { output: copyOf(JSON.stringify(output)) };
  for (const { path, correctedValue } of corrections) {
    const tokens = tokensOf(path ?? '');
    const json = JSON.stringify(correctedValue ?? null);
    if (tokens === null || tokens.length + nestingDepth(json) > MAX_NESTING) continue;
    setValue(root, ['output', ...tokens], json);
  }
  return root.output;
}

/** Returns the tokens of a JSON Pointer (RFC 6901); null for another text. */
function tokensOf(pointer: string): string[] | null {
  if (pointer !== '' && !pointer.startsWith('/')) return null;
  const tokens = pointer.split('/').slice(1);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Sets a member whose parent exists. */
function setValue(root: object, tokens: readonly string[], json: string): void {
  let parent: unknown = root;
  for (const token of tokens.slice(0, -1)) {
    const name = isContainer(parent) ? memberName(parent, token) : token;
    if (!isContainer(parent) || !Object.hasOwn(parent, name)) return;
    parent = Reflect.get(parent, name);
  }
  if (!isContainer(parent)) return;
  const name = memberName(parent, tokens.at(-1) ?? '');
  if (Array.isArray(parent) && !(Number(name) <= parent.length)) return;
  // Also for the name `__proto__`.
  Object.defineProperty(parent, name, {
    value: copyOf(json),
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Returns the name of a member; `-` is the member behind the last item of an array. */
function memberName(parent: object, token: string): string {
  if (!Array.isArray(parent)) return token;
  if (token === '-') return String(parent.length);
  return /^(0|[1-9][0-9]{0,8})$/.test(token) ? token : 'NaN';
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function copyOf(json: string): unknown {
  return JSON.parse(json);
}
