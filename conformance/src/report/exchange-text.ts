import type { HttpExchange, HeaderPair } from '../verdict/exchange.ts';

/** The request of an exchange as lines: start, headers, body. */
export function requestText({ request }: HttpExchange): string {
  return message(`${request.method} ${request.url}`, request.headers, request.body);
}

/** The answer of an exchange as lines: status, headers, body. */
export function responseText({ response }: HttpExchange): string {
  if (response === null) return 'no answer';
  return message(`${response.status}`, response.headers, response.body);
}

function message(start: string, headers: readonly HeaderPair[], body: string | null): string {
  const head = [start, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n');
  return body === null ? head : `${head}\n\n${body}`;
}
