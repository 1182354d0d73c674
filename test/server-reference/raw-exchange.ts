import { connect } from 'node:net';

import type { Answer } from './contract-client.ts';

/** Sends bytes as they are and reads until so many whole answers have come, or the connection ends. */
export async function exchange(
  baseUrl: string,
  bytes: string | Buffer,
  answers = 1,
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
      if (wholeAnswers(text).length === answers) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

/** The whole answers at the start of a text, an invitation to continue apart. */
export function wholeAnswers(text: string): Answer[] {
  const answers: Answer[] = [];
  let rest = text;
  for (;;) {
    const [head = '', ...after] = rest.split('\r\n\r\n');
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const body = after.join('\r\n\r\n');
    if (after.length === 0 || body.length < length) return answers;
    if (!head.startsWith('HTTP/1.1 100')) answers.push(answer(head, body.slice(0, length)));
    rest = body.slice(length);
  }
}

function answer(head: string, body: string): Answer {
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
    body: text === '' ? undefined : JSON.parse(text),
  };
}
