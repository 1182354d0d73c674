import { mustBe } from '../verify/errors.ts';
import { HEADER_FORMS, headerError } from '../verify/header-forms.ts';
import type { HeaderPart } from '../verify/header-forms.ts';

/**
 * Where the headers of a delivery come from: a Fetch `Headers`, or a record of strings or arrays of
 * strings in any letter case. A Fetch `Headers` joins a header that came twice, which makes it malformed.
 */
export type WebHeaderSource =
  | {
      /** Returns the value of a header; `null` without one. */
      get(name: string): string | null;
    }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Returns the id, the timestamp and the signature, each present once and well-formed: the results and errors of
 * `@hookproof/receiver/verify`, in less code and more time.
 *
 * @throws {WebhookVerificationError} `header_missing`, `header_repeated` or `…_malformed`.
 * @throws {TypeError} When `source` is not a source of headers.
 */
export function readWebHeaders(source: WebHeaderSource): readonly string[] {
  if (!isObject(source)) {
    throw new TypeError(mustBe('headers', 'Headers or a record', source && typeof source));
  }
  const found = PARTS.map((part) => [part, valuesOf(source, part)] as const);
  const refused =
    found.find(([, values]) => values.length > 1) ??
    found.find(([part, [value]]) => value === undefined || !HEADER_FORMS[part][0].test(value));
  if (refused) throw headerError(refused[0], ...refused[1]);
  return found.flatMap(([, values]) => values);
}

const PARTS = ['id', 'timestamp', 'signature'] as const;

function valuesOf(source: Readonly<Record<string, unknown>>, part: HeaderPart): string[] {
  const name = new RegExp(`^webhook-${part}$`, 'i');
  const values: unknown[] =
    typeof source['get'] === 'function'
      ? [source['get'](`webhook-${part}`)]
      : Object.entries(source).flatMap(([key, value]) => (name.test(key) ? value : []));
  return values.filter((value) => typeof value === 'string');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
