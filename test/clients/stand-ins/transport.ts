import { PlatformError } from './stand-in.ts';
import type { FormPart, StandInOptions } from './stand-in.ts';

/** A request of a client, repeated by its rules. */
export interface ClientRequest {
  readonly method: string;
  /** Below the address of the client, or a whole URL. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Follows redirects; only downloads do. */
  readonly follows?: boolean;
}

/** How many times a client repeats a request, whatever its method. */
const REPEATS = 3;
const FIRST_DELAY_MILLISECONDS = 250;

/** Returns the delay before a repetition; `attempt` is 0 for the first. */
export type Delay = (attempt: number, response: Response | undefined) => number;

/** 250, 500, 1000 ms. */
export const doublingDelay: Delay = (attempt) => FIRST_DELAY_MILLISECONDS * 2 ** attempt;

/** The number of seconds in `Retry-After`, else the doubling delay. */
export const requestedDelay: Delay = (attempt, response) => {
  const seconds = response?.headers.get('retry-after') ?? '';
  return /^\d+$/.test(seconds) ? Number(seconds) * 1000 : doublingDelay(attempt, response);
};

/** Sends a request, and repeats it after 429, 5xx and a broken connection. Throws for an error response. */
export async function sendRequest(
  { address, key, wait }: StandInOptions,
  delay: Delay,
  { method, path, headers, body, follows = false }: ClientRequest,
): Promise<Response> {
  const isWhole = /^https?:/.test(path);
  // A signed address of the storage takes no key.
  const isSigned = path.includes('/_storage/');
  const init: RequestInit = {
    method,
    headers: {
      'user-agent': 'stand-in/1.0',
      'x-standin-language': 'test',
      'x-standin-trigger': 'cli',
      ...(isSigned ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    redirect: follows ? 'follow' : 'manual',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  };
  for (let attempt = 0; ; attempt += 1) {
    const url = isWhole ? path : address + path;
    const response = await fetch(url, init).catch((error: unknown): undefined => {
      if (attempt === REPEATS) throw error;
    });
    if (response !== undefined && !isRepeated(response, attempt)) return successOf(response);
    await response?.arrayBuffer();
    await wait(delay(attempt, response));
  }
}

function isRepeated({ status }: Response, attempt: number): boolean {
  return attempt < REPEATS && (status === 429 || status >= 500);
}

async function successOf(response: Response): Promise<Response> {
  if (response.ok || response.status < 400) return response;
  const text = await response.text();
  const { issues = [], requestId } = readEnvelope(text);
  const [first] = issues;
  throw new PlatformError(response.status, first?.message ?? text, {
    field: first?.field,
    requestId,
  });
}

function readEnvelope(text: string): {
  issues?: { field: string; message: string }[];
  requestId?: string;
} {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const BOUNDARY = 'stand-in-boundary';

/** A form, byte for byte as the client writes it. `textType` is the media type of a text; null writes none. */
export function writeForm(
  parts: readonly FormPart[],
  textType: string | null,
): Pick<ClientRequest, 'headers' | 'body'> {
  const chunks = parts.flatMap((part) => {
    const name = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${part.name}"`;
    if ('text' in part) {
      const type = textType === null ? '' : `\r\nContent-Type: ${textType}`;
      return [Buffer.from(`${name}${type}\r\n\r\n${part.text}\r\n`)];
    }
    const head = `${name}; filename="${part.filename}"\r\nContent-Type: ${part.type}\r\n\r\n`;
    return [Buffer.from(head), part.bytes, Buffer.from('\r\n')];
  });
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}

const FIVE_MINUTES = 300_000;
const POLL_MILLISECONDS = 2_000;

/** Reads until a condition holds, every two seconds for five minutes. */
export async function pollUntil<T>(
  wait: StandInOptions['wait'],
  read: () => Promise<T>,
  isEnd: (value: T) => boolean,
): Promise<T> {
  for (let waited = 0; waited <= FIVE_MINUTES; waited += POLL_MILLISECONDS) {
    const value = await read();
    if (isEnd(value)) return value;
    await wait(POLL_MILLISECONDS);
  }
  throw new Error('The run did not end within five minutes.');
}
