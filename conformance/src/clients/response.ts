import { showBody } from '../http/exchange.ts';
import type { HeaderPair, HttpExchange } from '../http/exchange.ts';
import { headerValue, parseJson } from '../http/message.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import { Inconclusive } from '../verdict/findings.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { MAX_JSON_BYTES } from '../wire/transport.ts';
import type { ApiResponse } from './api-client.ts';

/** The unredacted response for a check, with the redacted exchange for the report. */
export function responseOf(
  outgoing: Outgoing,
  incoming: Incoming,
  redactor: Redactor,
): ApiResponse {
  return new ReceivedResponse(outgoing, incoming, redactor);
}

/** Text and exchange are made on demand: a download may be large, and checks read its bytes. */
class ReceivedResponse implements ApiResponse {
  readonly status: number;
  readonly headers: readonly HeaderPair[];
  readonly bytes: Uint8Array;
  readonly #outgoing: Outgoing;
  readonly #redactor: Redactor;
  #text: string | null = null;
  #exchange: HttpExchange | null = null;

  constructor(outgoing: Outgoing, { status, headers, bytes }: Incoming, redactor: Redactor) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
    this.#outgoing = outgoing;
    this.#redactor = redactor;
  }

  header(name: string): string | undefined {
    return headerValue(this.headers, name);
  }

  get text(): string {
    this.#text ??= Buffer.from(this.bytes).toString('utf8');
    return this.#text;
  }

  /**
   * Parsed at each reading: the values of a hostile target take twenty times the bytes, and a response stays in memory as
   * long as the run. Throws `Inconclusive` for more than a target of the contract sends, which would take gigabytes. */
  get json(): unknown {
    requireReadable(this);
    return parseJson(this.text);
  }

  get exchange(): HttpExchange {
    this.#exchange ??= this.#show();
    return this.#exchange;
  }

  #show(): HttpExchange {
    const redactor = this.#redactor;
    const { redact } = redactor;
    const { method, url, headers, body } = this.#outgoing;
    return {
      sentBy: 'suite',
      request: {
        method,
        url: redact(url),
        headers: redactHeaders(headers, redactor),
        body: showBody(body, redact),
      },
      response: {
        status: this.status,
        headers: redactHeaders(this.headers, redactor),
        body: showBody(this.bytes, redact),
      },
    };
  }
}

/** A page of 100 entries has a few thousand. */
const MAX_JSON_COMMAS = 20_000;
const COMMA = 0x2c;

/** Throws `Inconclusive` for a body that the suite does not parse as JSON. */
export function requireReadable({ bytes }: { readonly bytes: Uint8Array }): void {
  if (bytes.byteLength > MAX_JSON_BYTES) {
    throw new Inconclusive(
      `Cannot judge: the suite reads at most ${MAX_JSON_BYTES} bytes of JSON, got ${bytes.byteLength}.`,
    );
  }
  let commas = 0;
  for (const byte of bytes) if (byte === COMMA) commas += 1;
  if (commas > MAX_JSON_COMMAS) {
    throw new Inconclusive(
      `Cannot judge: the suite reads JSON with at most ${MAX_JSON_COMMAS} commas, got ${commas}.`,
    );
  }
}

function redactHeaders(headers: readonly HeaderPair[], { redact }: Redactor): HeaderPair[] {
  return headers.map(([name, value]) => [redact(name), redact(value)]);
}
