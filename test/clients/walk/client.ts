/** A part of a form: a text, or a file with its name. */
export type FormPart =
  | { readonly name: string; readonly text: string }
  | {
      readonly name: string;
      readonly filename: string;
      readonly type: string;
      readonly bytes: Buffer;
    };

/** A successful JSON response. */
export interface Reply {
  readonly status: number;
  // The tests compare what they read with the tables of the client.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/**
 * What a download is, which decides the media types that a client takes. `stored` is a corrected file, or a
 * file of an example.
 */
type DownloadKind = 'file' | 'artifact' | 'stored' | 'archive' | 'export';

/** The operations of a client, as a user of it sees them. They throw for an error response, with its `status`. */
export interface Client {
  /** Calls an operation whose response is JSON, or has no body. */
  call(method: string, path: string, json?: unknown): Promise<Reply>;
  sendForm(path: string, parts: readonly FormPart[]): Promise<Reply>;
  /** Sends bytes to a signed address, without the key. Returns the status. */
  put(url: string, headers: Readonly<Record<string, string>>, bytes: Buffer): Promise<number>;
  download(path: string, kind: DownloadKind): Promise<{ readonly bytes: Buffer }>;
  /** Writes a path of several segments into the path of an operation. */
  writePath(path: string): string;
  /** Reads a run every two seconds until it has ended, for at most five minutes. */
  readUntilFinished(runId: string): Promise<Reply>;
}

/** What the clients of the platform do differently. */
interface Rules {
  /** The media type of a text in a form; null without one. */
  readonly textType: string | null;
  readonly writePath: (path: string) => string;
  /** The downloads for which it follows a redirect to the storage. */
  readonly follows: readonly DownloadKind[];
  /** The media types that it takes for a download; all where it does not look. */
  readonly takes: Partial<Readonly<Record<DownloadKind, RegExp>>>;
  /** The statuses at which it reads no more, beside `finished`. */
  readonly ended: readonly string[];
}

const OCTETS_OR_ZIP = /^application\/(octet-stream|zip)\b/;

/** A stands in for the client in JavaScript, B for the one in Python. */
const RULES: Readonly<Record<'A' | 'B', Rules>> = {
  A: {
    textType: null,
    writePath: encodeURIComponent,
    follows: ['file', 'artifact', 'stored', 'archive', 'export'],
    takes: {
      file: /^(?!.*(json|html))/,
      artifact: OCTETS_OR_ZIP,
      stored: OCTETS_OR_ZIP,
      archive: OCTETS_OR_ZIP,
      export: /^application\/(octet-stream|zip)\b|json/,
    },
    ended: [],
  },
  B: {
    textType: 'application/json',
    writePath: (path) => path.split('/').map(encodeURIComponent).join('/'),
    follows: ['file', 'artifact', 'archive'],
    takes: {},
    ended: ['completed', 'failed', 'cancelled', 'rejected'],
  },
};

/** What the user of a client gives it. */
interface Given {
  /** With `/v1` or `/api/v1`. */
  readonly address: string;
  readonly key: string;
  /** Waits on the clock of the server. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

const BOUNDARY = 'stand-in-boundary';
const POLL_MILLISECONDS = 2_000;
const POLLS = 150;

export function standIn(name: keyof typeof RULES, { address, key, wait }: Given): Client {
  const { textType, writePath, follows, takes, ended } = RULES[name];

  const send = async (
    path: string,
    init: RequestInit,
    given: Readonly<Record<string, string>> = {},
  ): Promise<Response> => {
    // A signed address of the storage takes no key.
    const own = path.includes('/_storage/') ? {} : { authorization: `Bearer ${key}` };
    const headers = { 'x-standin-trigger': 'cli', ...own, ...given };
    const url = /^https?:/.test(path) ? path : address + path;
    const response = await fetch(url, { redirect: 'manual', ...init, headers });
    const { status } = response;
    if (status >= 300) throw Object.assign(new Error(await response.text()), { status });
    return response;
  };
  const client: Client = {
    async call(method, path, json) {
      if (json === undefined) return reply(await send(path, { method }));
      const headers = { 'content-type': 'application/json' };
      return reply(await send(path, { method, body: JSON.stringify(json) }, headers));
    },
    async sendForm(path, parts) {
      const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
      const body = new Uint8Array(formOf(parts, textType));
      return reply(await send(path, { method: 'POST', body }, headers));
    },
    async put(url, headers, bytes) {
      return (await send(url, { method: 'PUT', body: new Uint8Array(bytes) }, headers)).status;
    },
    async download(path, kind) {
      const redirect = follows.includes(kind) ? 'follow' : 'manual';
      const response = await send(path, { redirect });
      const type = response.headers.get('content-type') ?? '';
      if (takes[kind]?.test(type) === false) throw new Error(`${type} for a download of ${kind}`);
      return { bytes: Buffer.from(await response.arrayBuffer()) };
    },
    writePath,
    async readUntilFinished(runId) {
      for (let poll = 0; poll <= POLLS; poll += 1) {
        const read = await client.call('GET', `/runs/${runId}`);
        if (read.body.finished === true || ended.includes(read.body.execution?.status)) return read;
        await wait(POLL_MILLISECONDS);
      }
      throw new Error('The run did not end within five minutes.');
    },
  };
  return client;
}

async function reply(response: Response): Promise<Reply> {
  const { status } = response;
  if (status === 204) return { status, body: undefined };
  const type = response.headers.get('content-type') ?? 'no media type';
  if (!type.includes('json')) throw new Error(`${type} instead of JSON`);
  return { status, body: await response.json() };
}

/** A form, byte for byte as a client writes it. */
function formOf(parts: readonly FormPart[], textType: string | null): Buffer {
  const type = textType === null ? '' : `\r\nContent-Type: ${textType}`;
  const chunks = parts.flatMap((part) => {
    const name = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${part.name}"`;
    if ('text' in part) return [Buffer.from(`${name}${type}\r\n\r\n${part.text}\r\n`)];
    const head = `${name}; filename="${part.filename}"\r\nContent-Type: ${part.type}\r\n\r\n`;
    return [Buffer.from(head), part.bytes, Buffer.from('\r\n')];
  });
  return Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}
