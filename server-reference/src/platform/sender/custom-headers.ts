import { SIGNATURE_HEADERS } from '@hookproof/spec';

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const VALUE = /^[\x20-\x7e\x80-\xff\t]{0,4000}$/;
const MAX_HEADERS = 20;

/** Headers that the sender or the connection itself writes. */
const RESERVED: ReadonlySet<string> = new Set([
  ...Object.values(SIGNATURE_HEADERS),
  'content-type',
  'content-length',
  'content-encoding',
  'user-agent',
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

/** What is wrong with one custom header, or with their number when `name` is null. */
export interface CustomHeaderProblem {
  readonly name: string | null;
  readonly message: string;
}

/** Checks the headers that an endpoint wants with each delivery; no problem means they can be sent. */
export function customHeaderProblems(
  headers: Readonly<Record<string, string>>,
): CustomHeaderProblem[] {
  const names = Object.keys(headers);
  const problems: CustomHeaderProblem[] = [];
  if (names.length > MAX_HEADERS) {
    problems.push({ name: null, message: `must be at most ${MAX_HEADERS} headers` });
  }
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!NAME.test(name)) problems.push({ name, message: 'is not the name of an HTTP header' });
    else if (RESERVED.has(lower))
      problems.push({ name, message: 'is written by the sender itself' });
    else if (seen.has(lower)) problems.push({ name, message: 'is given twice, in another case' });
    else if (!VALUE.test(value)) {
      problems.push({ name, message: 'must be printable Latin-1 text of at most 4000 characters' });
    }
    seen.add(lower);
  }
  return problems;
}
