import { ROOT, invalidValue, refusal } from './errors.ts';

/** Returns whether a JSON value is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Far below the depth at which serialising the state would overflow the stack. */
const MAX_NESTING = 500;

/**
 * Parses a JSON text of a request.
 *
 * @param field - the part of a form with the text, or `<root>` for a body
 * @throws {ApiError} `malformed_json`; `invalid_value` for a value that the state cannot hold
 */
export function parseJson(text: string, field: string): unknown {
  const value = parse(text, field);
  if (nestingDepth(text) > MAX_NESTING) {
    throw invalidValue(field, `must be nested at most ${MAX_NESTING} levels deep`);
  }
  if (containsInfinity(value)) {
    const message = 'must not contain a number outside the range of a double';
    throw invalidValue(field, message);
  }
  return value;
}

function parse(text: string, field: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const subject = field === ROOT ? 'the body is' : 'is';
    throw refusal('malformed_json', field, `${subject} not well-formed JSON`);
  }
}

/** Returns the depth of nested arrays and objects in a JSON text; 0 for a primitive value. */
export function nestingDepth(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth -= 1;
  }
  return deepest;
}

/** `1e400` is parsed as Infinity, which would be stored as null. */
function containsInfinity(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === Infinity || value === -Infinity;
  return Object.values(value).some(containsInfinity);
}

/** Describes a received value for a message: its JSON in at most 60 characters, or its type. */
export function shorten(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}

const NAME = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;

/** Converts a JSON pointer such as `/focusFields/0/path` to `focusFields[0].path`, and the root to `<root>`. */
export function fieldPath(pointer: string, ...more: readonly string[]): string {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path = [...steps, ...more].reduce((before, step) => before + asStep(before, step), '');
  return path === '' ? ROOT : path;
}

function asStep(before: string, step: string): string {
  if (/^[0-9]+$/.test(step)) return `[${step}]`;
  if (!NAME.test(step)) return `[${JSON.stringify(step)}]`;
  return before === '' ? step : `.${step}`;
}
