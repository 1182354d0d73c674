import { connect } from 'node:net';

import type { ApiResponse } from './contract-client.ts';

/** Sends exact bytes and reads until the given number of complete responses, or the end of the connection. */
export async function exchange(
  baseUrl: string,
  bytes: string | Buffer,
  responses = 1,
): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    });
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
      if (wholeResponses(text).length === responses) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

/** The complete responses at the start of a text, without 100 Continue. */
export function wholeResponses(text: string): ApiResponse[] {
  const responses: ApiResponse[] = [];
  let rest = text;
  for (;;) {
    const [head = '', ...after] = rest.split('\r\n\r\n');
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const body = after.join('\r\n\r\n');
    if (after.length === 0 || body.length < length) return responses;
    if (!head.startsWith('HTTP/1.1 100')) responses.push(response(head, body.slice(0, length)));
    rest = body.slice(length);
  }
}

function response(head: string, body: string): ApiResponse {
  const [line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
  const bytes = Buffer.from(body, 'latin1');
  const text = bytes.toString();
  return {
    status: Number(line.split(' ')[1]),
    headers,
    bytes,
    body: text !== '' && /json/.test(headers['content-type'] ?? '') ? JSON.parse(text) : undefined,
  };
}
