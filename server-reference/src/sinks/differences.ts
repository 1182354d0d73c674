import type { Exchange } from './exchange.ts';

/** Headers that say something of the connection and nothing of the event. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
]);

/**
 * In what a request arrived otherwise than the sender had made it: `body`, and the names of headers in
 * lower case, in alphabetical order. Nothing where one of the two is missing.
 */
export function differences({ sent, arrived }: Exchange): string[] {
  if (sent === null || arrived === null) return [];
  const honest = byName(Object.entries(sent.request.headers));
  const actual = byName(arrived.headers);
  const names = [...new Set([...honest.keys(), ...actual.keys()])];
  const differing = names.filter(
    (name) => !OF_CONNECTION.has(name) && honest.get(name) !== actual.get(name),
  );
  if (!sent.request.body.equals(arrived.body)) differing.push('body');
  return differing.toSorted();
}

/** The lines of each header as one text; blanks around a value belong to nobody. */
function byName(headers: Iterable<readonly [string, string]>): Map<string, string> {
  const lines = new Map<string, string>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    const before = lines.get(lower);
    const trimmed = value.replaceAll(/^[ \t]+|[ \t]+$/g, '');
    lines.set(lower, before === undefined ? trimmed : `${before}\n${trimmed}`);
  }
  return lines;
}
