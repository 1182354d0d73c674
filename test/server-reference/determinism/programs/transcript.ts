// Everything that a server responded and sent, as lines that can be compared byte for byte.
import type { ReferenceServer } from '@hookproof/server-reference';
import { request } from 'undici';
import type { Dispatcher } from 'undici';

/** Free ports by name. */
type Ports = Record<string, number>;

interface CallOptions {
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

interface CallResult {
  readonly status: number;
  /** The parsed JSON object, if the body is one. */
  readonly body: Record<string, unknown> | undefined;
}

/** Makes a call and keeps the status, the headers and the exact bytes as one line. */
export type Call = (method: string, path: string, options?: CallOptions) => Promise<CallResult>;

export interface Transcript {
  /** One line for each call and each note, written when it is read. */
  readonly lines: string[];
  /** A port that becomes known later is added here. */
  readonly ports: Ports;
  /** Keeps a line that is no call, such as an arrival. */
  note(line: string): void;
  readonly call: Call;
}

/**
 * What no seed determines, and every line omits: the `Date` header is the machine's, so are free ports, and
 * the token of the control interface is random on purpose.
 */
function withoutMachine(text: string, ports: Ports, controlToken: string): string {
  let stable = text.replaceAll(controlToken, '<control-token>');
  for (const [name, port] of Object.entries(ports)) {
    stable = stable.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), `<${name}-port>`);
  }
  return stable;
}

const LEFT_OUT_HEADERS = new Set(['date']);

/** Makes calls one after another and keeps a line of each. */
export function transcript(server: ReferenceServer, ports: Ports): Transcript {
  const lines: string[] = [];
  return {
    get lines() {
      return lines.map((line) => withoutMachine(line, ports, server.controlToken));
    },
    ports,
    note(line) {
      lines.push(line);
    },
    async call(method, path, { json, headers = {}, body } = {}) {
      const url = path.startsWith('http') ? path : server.baseUrl + path;
      const response = await request(url, {
        method,
        headers: {
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? (body ?? null) : JSON.stringify(json),
      });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      const kept = Object.entries(response.headers).filter(([name]) => !LEFT_OUT_HEADERS.has(name));
      const text = bytes.toString(isText(response) ? 'utf8' : 'base64');
      lines.push([method, path, response.statusCode, JSON.stringify(kept), text].join('\n'));
      const parsed: CallResult['body'] = text.startsWith('{') ? JSON.parse(text) : undefined;
      return { status: response.statusCode, body: parsed };
    },
  };
}

function isText({ headers }: Pick<Dispatcher.ResponseData, 'headers'>): boolean {
  return /^(application\/json|text\/)/.test(String(headers['content-type'] ?? 'text/'));
}
