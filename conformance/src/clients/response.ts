import { showBody } from '../http/exchange.ts';
import type { HeaderPair, HttpExchange } from '../http/exchange.ts';
import { headerValue, parseJson } from '../http/message.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import type { Redactor } from '../redaction/redactor.ts';
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
  #json: { readonly value: unknown } | null = null;
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

  /** Parsed once: a large body takes seconds. */
  get json(): unknown {
    this.#json ??= { value: parseJson(this.text) };
    return this.#json.value;
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

function redactHeaders(headers: readonly HeaderPair[], { redact }: Redactor): HeaderPair[] {
  return headers.map(([name, value]) => [redact(name), redact(value)]);
}
