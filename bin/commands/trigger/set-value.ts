import { didYouMean } from '../../command-line/did-you-mean.ts';
import { UsageError } from '../../command-line/errors.ts';

/** A value of `--set`. */
export interface SetValue {
  /** As given, for messages. */
  readonly path: string;
  readonly names: readonly string[];
  readonly value: unknown;
}

type Members = Record<string, unknown>;

/** Optional members of the contract, which a payload need not have. */
const OPTIONAL = [
  'data.run.output',
  'data.run.outputOmitted',
  'data.previousStatus',
  'data.currentStatus',
];
/** The platform allows any value here, so any member below it can be set. */
const OUTPUT = 'data.run.output.';

/** Parses `path=value`. The value is JSON, or else a string. */
export function parseSet(text: string): SetValue {
  const at = text.indexOf('=');
  const path = text.slice(0, at);
  const names = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  if (at < 1 || names.includes('')) {
    throw new UsageError(
      `--set must be path=value such as data.run.output.total=4711, got ${text}.`,
    );
  }
  return { path, names, value: valueOf(text.slice(at + 1)) };
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Sets a value in each payload that has its path; a value below the output also where it is new.
 *
 * @throws {UsageError} if the path is in no payload
 */
export function setValue(payloads: readonly unknown[], { path, names, value }: SetValue): void {
  const plain = names.join('.');
  const having = payloads.filter((payload) => has(payload, names));
  const chosen = having.length > 0 || !isOptional(plain) ? having : payloads.slice(-1);
  if (chosen.length === 0) {
    const known = new Set([...payloads.flatMap((payload) => pathsOf(payload)), ...OPTIONAL]);
    throw new UsageError(
      `--set ${path} must be a path of the payload.${didYouMean(plain, [...known])} All of them: hookproof trigger --print`,
    );
  }
  for (const payload of chosen) put(payload, names, value, path);
}

function isOptional(path: string): boolean {
  return OPTIONAL.includes(path) || path.startsWith(OUTPUT);
}

function has(payload: unknown, names: readonly string[]): boolean {
  let node = payload;
  for (const name of names) {
    if (!isMembers(node) || !Object.hasOwn(node, name)) return false;
    node = node[name];
  }
  return true;
}

function put(payload: unknown, names: readonly string[], value: unknown, path: string): void {
  let node = payload;
  for (const [place, name] of names.entries()) {
    if (!isMembers(node)) {
      const parent = names.slice(0, place).join('.');
      throw new UsageError(`--set ${path} needs ${parent} to be an object or a list, got a value.`);
    }
    if (place === names.length - 1) return define(node, name, value);
    if (!Object.hasOwn(node, name)) define(node, name, isPlace(names[place + 1]) ? [] : {});
    node = node[name];
  }
}

function isPlace(name: string = ''): boolean {
  return /^\d+$/.test(name);
}

/** An assignment of `__proto__` would set no member. */
function define(node: Members, name: string, value: unknown): void {
  Object.defineProperty(node, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function pathsOf(value: unknown, prefix = ''): string[] {
  if (!isMembers(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    [prefix + name].concat(pathsOf(member, `${prefix}${name}.`)),
  );
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}
