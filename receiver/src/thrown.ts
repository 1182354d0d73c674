/** Messages of other people's errors can be as long as a payload. */
const MAX_PART_CHARACTERS = 300;
const MAX_CHARACTERS = 1_000;
const MAX_CAUSES = 5;

/**
 * Returns the message of a thrown value and those of its causes, which often say more:
 * `TypeError: fetch failed (cause: Error: connect ECONNREFUSED 127.0.0.1:5432)`. A value that is
 * not an error is shown with its own simple members.
 */
export function describeThrown(thrown: unknown): string {
  const [first = '', ...causes] = chainOf(thrown).map(partOf);
  return (first + causes.map((cause) => ` (cause: ${cause})`).join('')).slice(0, MAX_CHARACTERS);
}

/**
 * Returns the stack of a thrown error and those of its causes; `null` without one. Other members
 * are left out: those of an HTTP client or of a database hold what was sent.
 */
export function stackOf(thrown: unknown): string | null {
  const stacks = chainOf(thrown).map((error) => textMember(error, 'stack'));
  const known = stacks.filter((stack) => stack !== null);
  return known.length === 0 ? null : known.join('\n  caused by ');
}

/**
 * Returns what was thrown; an error in place of an object that cannot even be asked what it is, such
 * as a revoked proxy.
 */
export function readable(thrown: unknown): unknown {
  try {
    void (thrown instanceof Error);
    return thrown;
  } catch {
    return new TypeError('an object that cannot be read was thrown');
  }
}

/** Returns a thrown value, its cause, the cause of that, and so on. */
function chainOf(thrown: unknown): readonly unknown[] {
  const chain = [readable(thrown)];
  for (let last = chain[0]; chain.length <= MAX_CAUSES; chain.push(last)) {
    // The errors of an `AggregateError` are alike: it comes of several addresses or attempts.
    last = readable(memberOf(last, 'cause') ?? memberOf(memberOf(last, 'errors'), '0'));
    if (last === undefined || last === null || chain.includes(last)) break;
  }
  return chain;
}

function partOf(thrown: unknown): string {
  return textOf(thrown).slice(0, MAX_PART_CHARACTERS);
}

function textOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return simpleText(thrown);
  if (!(thrown instanceof Error) && textMember(thrown, 'stack') === null) return membersOf(thrown);
  const name = textMember(thrown, 'name') ?? 'Error';
  const message = textMember(thrown, 'message') ?? '';
  const code = memberOf(thrown, 'code');
  return message === '' && typeof code === 'string' ? `${name}: ${code}` : `${name}: ${message}`;
}

/** Returns the simple members of an object in the form of a literal. */
function membersOf(value: object): string {
  try {
    const members = Object.entries(value).map(
      ([name, member]) => `${name}: ${typeof member === 'object' ? '…' : simpleText(member)}`,
    );
    return members.length === 0 ? 'a thrown object without members' : `{ ${members.join(', ')} }`;
  } catch {
    return 'a thrown object that cannot be read';
  }
}

function simpleText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, MAX_PART_CHARACTERS));
  return typeof value === 'function' ? 'a function' : String(value);
}

function textMember(value: unknown, name: string): string | null {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : null;
}

/** Returns a member of an object; `undefined` where it has none, or throws when it is read. */
function memberOf(value: unknown, name: string): unknown {
  try {
    return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  } catch {
    return undefined;
  }
}
