// Everything that a server answered and sent, as lines that can be compared byte for byte.
import { request } from 'undici';

/**
 * What no seed can settle, and is left out of every line: the `Date` header is the machine's, so are free
 * ports, and the token of the control interface is random on purpose.
 */
export function withoutNature(text, { ports, controlToken }) {
  let stable = text.replaceAll(controlToken, '<control-token>');
  for (const [name, port] of Object.entries(ports)) {
    stable = stable.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), `<${name}-port>`);
  }
  return stable;
}

export const LEFT_OUT_HEADERS = new Set(['date']);

/**
 * Makes calls one after another and keeps a line of each.
 *
 * @param ports - the free ports by name; one that becomes known later is added to it
 */
export function transcript(server, ports) {
  const lines = [];
  const nature = { ports, controlToken: server.controlToken };
  return {
    /** A line of each call and each note, written when it is asked for. */
    get lines() {
      return lines.map((line) => withoutNature(line, nature));
    },
    ports,
    /** Keeps a line that is no call, such as an arrival. */
    note(line) {
      lines.push(line);
    },
    /** Keeps the status, the headers and the very bytes; returns the status and the parsed body. */
    async call(method, path, { json, headers = {}, body } = {}) {
      const url = path.startsWith('http') ? path : server.baseUrl + path;
      const answer = await request(url, {
        method,
        headers: {
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? body : JSON.stringify(json),
      });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      const kept = Object.entries(answer.headers).filter(([name]) => !LEFT_OUT_HEADERS.has(name));
      const text = isText(answer.headers) ? bytes.toString('utf8') : bytes.toString('base64');
      lines.push([method, path, answer.statusCode, JSON.stringify(kept), text].join('\n'));
      const parsed = text.startsWith('{') ? JSON.parse(text) : undefined;
      return { status: answer.statusCode, body: parsed };
    },
  };
}

function isText(headers) {
  return /^(application\/json|text\/)/.test(headers['content-type'] ?? 'text/');
}
