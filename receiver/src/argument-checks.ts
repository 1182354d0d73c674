/** The least value of an option that is a number, and its default. */
interface NumberOption {
  readonly least: 0 | 1;
  readonly default: number;
  /** True: a fraction is a value too. */
  readonly isFraction?: boolean;
}

/**
 * Returns the options of a table: the given numbers, checked, and the defaults of those that are
 * absent.
 *
 * @throws {TypeError} When a value is not a number of its form, or too small.
 */
export function numbersIn<Name extends string>(
  table: Readonly<Record<Name, NumberOption>>,
  options: { readonly [Each in NoInfer<Name>]?: number },
): Readonly<Record<Name, number>> {
  const checked: Partial<Record<Name, number>> = {};
  for (const name in table) {
    const { least, default: defaultValue, isFraction = false } = table[name];
    const integer = least === 0 ? nonNegativeInteger : positiveInteger;
    const check = isFraction ? nonNegative : integer;
    checked[name] = check(name, options[name], defaultValue);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name of the table has its number by now
  return checked as Record<Name, number>;
}

/**
 * Returns an option that must be a positive integer, or its default.
 *
 * @throws {TypeError} When the value is anything else.
 */
export function positiveInteger(
  name: string,
  value: number | undefined,
  defaultValue: number,
): number {
  const number = value ?? defaultValue;
  if (Number.isSafeInteger(number) && number > 0) return timer(name, number);
  throw new TypeError(`${name} must be a positive integer, got ${shown(number)}.`);
}

/**
 * Returns an option that must be a non-negative integer, or its default.
 *
 * @throws {TypeError} When the value is anything else.
 */
function nonNegativeInteger(name: string, value: number | undefined, defaultValue: number): number {
  const number = value ?? defaultValue;
  if (Number.isSafeInteger(number) && number >= 0) return timer(name, number);
  throw new TypeError(`${name} must be a non-negative integer, got ${shown(number)}.`);
}

function nonNegative(name: string, value: number | undefined, defaultValue: number): number {
  const number = value ?? defaultValue;
  if (Number.isFinite(number) && number >= 0) return number;
  throw new TypeError(`${name} must be a number of at least 0, got ${shown(number)}.`);
}

/** A text has quotes, so that '16' is not taken for 16. */
function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/**
 * Refuses what is not an object with some of these members. A list, a set or a promise has none of
 * them: as options it would mean the defaults, and as a filter all events.
 *
 * @throws {TypeError} When it is anything else.
 */
export function optionsObject(
  options: unknown,
  names: readonly string[],
  subject: string = 'options',
): asserts options is object {
  const kind = kindOf(options);
  if (kind === 'object') return;
  const some = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}`;
  const fix = names.includes('ids') ? ' Pass { ids } to choose single events.' : '';
  throw new TypeError(`${subject} must be an object with ${some}, got ${kind}.${fix}`);
}

/** Returns `object`, or what a value is instead: `array`, `promise`, `null`. */
export function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1).toLowerCase();
}

/**
 * Refuses options whose name is unknown, with the name that was probably meant.
 *
 * @throws {TypeError} When an option is unknown.
 */
export function knownOptions(
  options: unknown,
  names: readonly string[],
  subject: string = 'options',
): asserts options is object {
  optionsObject(options, names, subject);
  for (const name of Object.keys(options)) knownName('option', name, names);
}

/**
 * Refuses a name that is not among the known ones, with the one that was probably meant.
 *
 * @throws {TypeError} When it is unknown.
 */
export function knownName(subject: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  const closest = closestName(name, names);
  const advice =
    closest === null ? `Expected one of ${names.join(', ')}.` : `Did you mean ${closest}?`;
  throw new TypeError(`Unknown ${subject} ${JSON.stringify(name)}. ${advice}`);
}

/** Returns the name that starts alike or differs by a few characters. */
function closestName(name: string, names: readonly string[]): string | null {
  const lower = name.toLowerCase();
  const scored = names.map((known) => ({ known, score: likeness(lower, known.toLowerCase()) }));
  if (names.length === 1) return names[0] ?? null;
  const [best] = scored.toSorted((left, right) => right.score - left.score);
  return best !== undefined && best.score >= 0.5 ? best.known : null;
}

/** Returns the share of adjacent pairs of characters that two names have in common. */
function likeness(left: string, right: string): number {
  const others = [...pairs(right)];
  const total = left.length + right.length - 2;
  let common = 0;
  for (const pair of pairs(left)) {
    const index = others.indexOf(pair);
    if (index < 0) continue;
    others.splice(index, 1);
    common += 1;
  }
  return total <= 0 ? 0 : (2 * common) / total;
}

function pairs(text: string): readonly string[] {
  return Array.from({ length: Math.max(text.length - 1, 0) }, (_, index) =>
    text.slice(index, index + 2),
  );
}

/** A timer of Node.js ends at once when its delay is longer. */
export const MAX_TIMER_MILLISECONDS = 2_147_483_647;

function timer(name: string, value: number): number {
  if (!name.endsWith('Milliseconds') || value <= MAX_TIMER_MILLISECONDS) return value;
  throw new TypeError(`${name} must be at most ${MAX_TIMER_MILLISECONDS}, got ${value}.`);
}

/**
 * Refuses an option that is neither a function nor absent.
 *
 * @throws {TypeError} When it is anything else.
 */
export function optionalFunction(name: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return;
  throw new TypeError(`${name} must be a function, got ${value === null ? 'null' : typeof value}.`);
}

/**
 * Refuses what `on()` could not call. Nothing else would report it, because its events are skipped.
 *
 * @throws {TypeError} When `handler` is not a function.
 */
export function requireHandlerFunction(name: string, handler: unknown): void {
  if (typeof handler === 'function') return;
  const received = handler === null ? 'null' : typeof handler;
  throw new TypeError(
    `handler must be a function, got ${received}. Call on(${JSON.stringify(name)}, (event, context) => …).`,
  );
}

/**
 * Returns an option that must be true or false, or its default.
 *
 * @throws {TypeError} When the value is anything else.
 */
export function trueOrFalse(
  name: string,
  value: boolean | undefined,
  defaultValue: boolean,
): boolean {
  const chosen: unknown = value ?? defaultValue;
  if (typeof chosen === 'boolean') return chosen;
  throw new TypeError(`${name} must be true or false, got ${shown(chosen)}.`);
}

/**
 * Refuses what is not a string.
 *
 * @throws {TypeError} When it is anything else.
 */
export function requireString(name: string, value: unknown, fix: string): void {
  if (typeof value === 'string') return;
  throw new TypeError(
    `${name} must be a string, got ${value === null ? 'null' : typeof value}. ${fix}`,
  );
}

/**
 * Returns a point in time as milliseconds since the epoch.
 *
 * @throws {TypeError} When the value is neither a valid `Date` nor a finite number.
 */
export function pointInTime(name: string, value: unknown): number {
  const isTime = value instanceof Date || typeof value === 'number';
  const time = isTime ? Number(value) : Number.NaN;
  if (Number.isFinite(time)) return time;
  throw new TypeError(
    `${name} must be a Date or milliseconds since the epoch, got ${String(value)}.`,
  );
}

/**
 * Refuses what an adapter cannot pass requests to.
 *
 * @throws {TypeError} When it is not a receiver or an ingress.
 */
export function requireReceiver(receiver: { readonly receive: unknown }): void {
  if (typeof receiver?.receive === 'function') return;
  const isPromise = receiver instanceof Promise;
  const got = isPromise ? 'a promise' : receiver === null ? 'null' : typeof receiver;
  const fix = isPromise ? 'Await it first.' : 'Create it before its adapter.';
  throw new TypeError(
    `receiver must be what createReceiver() or createIngress() returned, got ${got}. ${fix}`,
  );
}
