import type { ApiResponse } from './api-client.ts';
import { showBody } from '../verdict/exchange.ts';
import type { HttpExchange, HeaderPair } from '../verdict/exchange.ts';
import type { Redactor } from '../redaction/redactor.ts';
import type { Incoming, Outgoing } from '../wire/transport.ts';

/** What a check gets to judge: the answer as it came, and beside it the redacted exchange for the report. */
export function responseOf(
  outgoing: Outgoing,
  incoming: Incoming,
  redactor: Redactor,
): ApiResponse {
  // A download may be large and is mostly looked at as bytes.
  let text: string | null = null;
  const readText = (): string => (text ??= Buffer.from(incoming.bytes).toString('utf8'));
  let exchange: HttpExchange | null = null;
  return {
    status: incoming.status,
    header: (name) =>
      incoming.headers.find(([candidate]) => candidate.toLowerCase() === name.toLowerCase())?.[1],
    headers: incoming.headers,
    bytes: incoming.bytes,
    get text() {
      return readText();
    },
    get json() {
      return parse(readText());
    },
    get exchange() {
      exchange ??= exchangeOf(outgoing, incoming, redactor);
      return exchange;
    },
  };
}

function exchangeOf(outgoing: Outgoing, incoming: Incoming, redactor: Redactor): HttpExchange {
  const { redact } = redactor;
  const shown = (headers: readonly HeaderPair[]): HeaderPair[] =>
    headers.map(([name, value]) => [redact(name), redact(value)]);
  return {
    sentBy: 'suite',
    request: {
      method: outgoing.method,
      url: redact(outgoing.url),
      headers: shown(outgoing.headers),
      body: showBody(outgoing.body, redact),
    },
    response: {
      status: incoming.status,
      headers: shown(incoming.headers),
      body: showBody(incoming.bytes, redact),
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
