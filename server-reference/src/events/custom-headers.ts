import { SIGNATURE_HEADERS } from '@hookproof/spec';

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const VALUE = /^[\x20-\x7e\x80-\xff\t]{0,4000}$/;
/** The maximum number of custom headers of an endpoint. */
const MAX_HEADERS = 20;

/** Headers that the sender or HTTP sets. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
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

/** A problem with one custom header, or with the number of headers if `name` is null. */
interface CustomHeaderProblem {
  readonly name: string | null;
  readonly message: string;
}

/** Checks the custom headers of an endpoint. Returns no problems if they can be sent. */
export function customHeaderProblems(
  headers: Readonly<Record<string, string>>,
): CustomHeaderProblem[] {
  const names = Object.keys(headers);
  const problems: CustomHeaderProblem[] = [];
  if (names.length > MAX_HEADERS) {
    problems.push({
      name: null,
      message: `must have at most ${MAX_HEADERS} headers, got ${names.length}`,
    });
  }
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!NAME.test(name)) problems.push({ name, message: 'must be a valid HTTP header name' });
    else if (RESERVED_HEADERS.has(lower))
      problems.push({ name, message: 'is set by the sender and cannot be customized' });
    else if (seen.has(lower))
      problems.push({ name, message: 'is a duplicate of another header in a different case' });
    else if (!VALUE.test(value)) {
      problems.push({ name, message: 'must be at most 4000 printable Latin-1 characters' });
    }
    seen.add(lower);
  }
  return problems;
}
