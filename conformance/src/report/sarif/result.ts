import type { HeaderPair, HttpExchange } from '../../http/exchange.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { EXCHANGE_LABEL, evidenceOf } from '../evidence.ts';
import type { CheckReport } from '../model.ts';
import { knownText } from '../wording.ts';

/** The symbol of the target's URL. */
export const TARGET = 'TARGET';

const LEVELS: Readonly<Partial<Record<Verdict, string>>> = {
  fail: 'error',
  known: 'error',
  advice: 'warning',
  info: 'note',
};

/** One violation as a result, with its exchange. */
export function resultOf(
  check: CheckReport,
  { root, ruleIndex }: { readonly root: string; readonly ruleIndex: number },
): object {
  const { id, requirement, verdict, side, violation } = check;
  const exchange = violation?.exchange ?? null;
  return {
    ruleId: requirement,
    ruleIndex,
    kind: 'fail',
    level: LEVELS[verdict] ?? 'none',
    message: { text: messageOf(check) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: pathOf(exchange, root), uriBaseId: TARGET },
          region: { startLine: 1 },
        },
        logicalLocations: [{ name: id, kind: 'check' }],
      },
    ],
    // The same failure of the next run is the same result, whatever its message says.
    partialFingerprints: { 'check/v1': id },
    ...suppressionsOf(check),
    ...exchangeProperties(exchange),
    properties: { check: id, verdict, side },
  };
}

/** A known failure is a result that somebody accepted, not one that is gone. */
function suppressionsOf(check: CheckReport): object {
  if (check.known === undefined) return {};
  const justification = knownText(check);
  return { suppressions: [{ kind: 'external', status: 'accepted', justification }] };
}

function messageOf(check: CheckReport): string {
  const lines = evidenceOf(check)
    .filter(({ label }) => !EXCHANGE_LABEL.test(label))
    .map(({ label, text }) => `${label}: ${text}`);
  return [check.message, ...lines].join('\n');
}

/** The request's path below the target's URL: a viewer that knows files only shows it as one. */
function pathOf(exchange: HttpExchange | null, root: string): string {
  const text = exchange?.request.url ?? '';
  const url = URL.canParse(text, root) ? new URL(text, root) : null;
  const path = url === null || url.origin !== new URL(root).origin ? '' : url.pathname.slice(1);
  return path === '' ? '.' : asReference(path);
}

/** A path may hold more characters on the web than in a reference; a colon would end a scheme. */
function asReference(path: string): string {
  return path.replaceAll(
    /%(?![0-9a-f]{2})|[^\w.~!$&'()*+,;=@/%-]/gi,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function exchangeProperties(exchange: HttpExchange | null): object {
  if (exchange === null) return {};
  const { request, response } = exchange;
  return {
    webRequest: {
      protocol: 'HTTP',
      method: request.method,
      target: request.url,
      headers: headersOf(request.headers),
      ...bodyOf(request.body),
    },
    webResponse:
      response === null
        ? { noResponseReceived: true }
        : {
            protocol: 'HTTP',
            statusCode: response.status,
            headers: headersOf(response.headers),
            ...bodyOf(response.body),
          },
  };
}

/** SARIF has one value for each name: those of a repeated header are joined, as HTTP permits. */
function headersOf(headers: readonly HeaderPair[]): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(joined);
}

function bodyOf(text: string | null): { readonly body?: { readonly text: string } } {
  return text === null ? {} : { body: { text } };
}
