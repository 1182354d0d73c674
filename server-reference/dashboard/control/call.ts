import type { ErrorEnvelope, Issue } from '@hookproof/spec';

import { acceptToken, refuseToken, token } from '../session.ts';

/** The control interface refused a call. The message is for the user. */
export class ControlError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A call of the control interface. Values of the query that are empty or undefined are left out. */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends a call. Resolves with the response, whose status is 2xx. */
export async function send(options: Call): Promise<Response> {
  const { method = 'GET', path, query = {}, body, headers = {}, signal = null } = options;
  const request = fetch(`/_control${path}${queryOf(query)}`, {
    method,
    signal,
    credentials: 'omit',
    cache: 'no-store',
    headers: {
      ...headers,
      Authorization: `Bearer ${token.value ?? ''}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await request.catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ControlError(0, '', 'The server does not respond. Is hookproof serve running?');
  });
  if (response.ok) {
    acceptToken();
    return response;
  }
  if (response.status === 401) refuseToken();
  throw await refusal(response);
}

/** Sends a call. Resolves with the JSON body of the response. */
export async function call<T>(options: Call): Promise<T> {
  const response = await send(options);
  const body: T = await response.json();
  return body;
}

function queryOf(query: NonNullable<Call['query']>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

async function refusal(response: Response): Promise<ControlError> {
  const envelope: Partial<ErrorEnvelope> = await response.json().catch(() => ({}));
  const [first] = envelope.issues ?? [];
  const message = first === undefined ? 'The server refused the call.' : sentence(first);
  return new ControlError(response.status, first?.code ?? '', message);
}

/** A message continues its field, unless it says what there is not. */
function sentence({ field, message }: Issue): string {
  const isWhole = field === '<root>' || message.startsWith('no ');
  const text = isWhole ? message : `${field} ${message}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
