import type { Header } from '../../saved/delivery-folder.ts';

/** Headers that concern one connection (RFC 9110, section 7.6.1), and `host`, which names its target. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns the headers that a proxy passes on, unchanged and in their order. */
export function endToEnd(headers: readonly Header[]): Header[] {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((one) => one.trim().toLowerCase()));
  const dropped = new Set([...HOP_BY_HOP, ...named]);
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()));
}

/** Returns the headers of Node's `rawHeaders`, whose names and values stand in turn, as pairs. */
export function headerPairs(rawHeaders: readonly string[]): Header[] {
  const pairs: Header[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  return pairs;
}
