import { knownOptions, trueOrFalse } from '../argument-checks.ts';
import { INBOX } from '../processing/processing.ts';
import { describeThrown } from '../thrown.ts';
import { readFetchBody, RequestBodyError } from '../verify/fetch-body.ts';
import { changeFor } from './changes.ts';
import { pageResponse } from './page.ts';
import { readFor } from './reads.ts';
import type { InboxSource } from './source.ts';
import { isFromPage } from './token.ts';

export interface InboxOptions<Incoming = unknown> {
  /**
   * Returns true when the caller may see the inbox and change what is in it. False gets 403, and a
   * `Response` is sent as it is, for instance a redirect to your login. Any other value gets 403
   * too, and is reported as `inbox_failed`. What it throws is reported, and passed to the
   * framework. `incoming` is the request of the framework, with its session or user: the second
   * argument of the handler.
   */
  readonly authorize: (
    request: Request,
    incoming: Incoming | undefined,
  ) => boolean | Response | Promise<boolean | Response>;
  /**
   * Shows the bodies of events that wait and of dead letters, not of handled ones. They are
   * personal data in most apps. Default: false.
   */
  readonly showPayloads?: boolean;
}

/** Serves the page: mount it on every path below one address. */
export type Inbox<Incoming = unknown> = (
  request: Request,
  incoming?: Incoming,
) => Promise<Response>;

/**
 * Creates a page for people: what waits and why, runs with their timelines, dead letters to handle
 * again or to discard, and a pause. Everything comes from the store, so it shows the events of all
 * processes. It is one handler of the Fetch standard; `nodeInbox()` makes it one for `node:http`
 * and Express.
 *
 * The page shows ids, statuses, times and the messages of failures, and payloads only with
 * `showPayloads`. It changes something only for a token that it gave to this browser, so no other
 * site can.
 *
 * @throws {TypeError} Without a source or without `authorize`.
 * @example
 * ```ts
 * import type { Receiver } from '@hookproof/receiver';
 * import { createInbox } from '@hookproof/receiver/inbox';
 *
 * export function adminRoute(receiver: Receiver, password: string) {
 *   const expected = `Basic ${btoa(`admin:${password}`)}`;
 *   const login = { status: 401, headers: { 'www-authenticate': 'Basic' } };
 *   return createInbox(receiver, {
 *     authorize: ({ headers }) =>
 *       headers.get('authorization') === expected || new Response(null, login),
 *   });
 * }
 * ```
 */
export function createInbox<Incoming = unknown>(
  source: InboxSource,
  options: InboxOptions<Incoming>,
): Inbox<Incoming> {
  if (typeof source?.waiting !== 'function') {
    throw new TypeError(
      'source must be what createReceiver() or createProcessor() returned, got another value.',
    );
  }
  knownOptions(options, ['authorize', 'showPayloads']);
  const { authorize } = options;
  const showPayloads = trueOrFalse('showPayloads', options.showPayloads, false);
  if (typeof authorize !== 'function') {
    throw new TypeError(
      `authorize must be a function, got ${typeof authorize}. The page can discard events, so it does ` +
        'not start without one. For a first look: authorize: () => true.',
    );
  }
  return async (request, incoming) => {
    const allowed = await answerOf(() => authorize(request, incoming), source);
    if (allowed instanceof Response) return allowed;
    if (!allowed) return refusal(403, 'forbidden', 'authorize must return true for this request.');
    try {
      return await respond(request, source, showPayloads);
    } catch (cause) {
      if (cause instanceof RequestBodyError) return refuseBody(cause);
      if (cause instanceof TypeError) return refusal(400, 'invalid', cause.message);
      return refusal(503, 'store_unavailable', describeThrown(cause));
    }
  };
}

/**
 * Asks `authorize`. Only true opens the page: another value that is not false may be a mistake,
 * such as a forgotten await.
 */
async function answerOf(
  ask: () => unknown,
  { [INBOX]: { report } }: Pick<InboxSource, typeof INBOX>,
): Promise<boolean | Response> {
  const fail = (message: string, cause?: unknown): void =>
    report({ code: 'inbox_failed', message, eventId: null, runId: null, cause });
  let answer: unknown;
  try {
    answer = await ask();
  } catch (cause) {
    fail(`authorize of the inbox must return, but it threw. ${describeThrown(cause)}`, cause);
    throw cause;
  }
  if (typeof answer === 'boolean' || answer instanceof Response) return answer;
  fail(
    `authorize of the inbox must return true, false or a Response, got ${answer === null ? 'null' : typeof answer}. ` +
      'The request got 403. Return session.isAdmin === true, not the session.',
  );
  return false;
}

async function respond(
  request: Request,
  source: InboxSource,
  showPayloads: boolean,
): Promise<Response> {
  const { searchParams } = new URL(request.url);
  if (request.method === 'GET' || request.method === 'HEAD') {
    const what = searchParams.get('read');
    if (what === null) return pageResponse(request, searchParams.get('file'), showPayloads);
    if (what === 'payload' && !showPayloads) {
      return refusal(403, 'payloads_hidden', 'createInbox() must get showPayloads: true for this.');
    }
    return json(200, await readFor(source, what, searchParams));
  }
  if (request.method !== 'POST') {
    return refusal(405, 'method_not_allowed', 'Method must be GET or POST.');
  }
  if (!isFromPage(request)) {
    return refusal(403, 'not_from_page', 'A change must come from the page. Load it again.');
  }
  return json(200, await changeFor(source, await sentBy(request)));
}

function refuseBody({ code, message }: RequestBodyError): Response {
  return code === 'body_too_large'
    ? refusal(413, code, 'Body must have at most 1 MiB, got more. Choose by a filter, not by ids.')
    : refusal(408, code, message);
}

async function sentBy(request: Request): Promise<unknown> {
  const bytes = await readFetchBody(request, {});
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new TypeError(`Body must be JSON, got ${bytes.length} bytes that are not.`);
  }
}

function refusal(status: number, code: string, message: string): Response {
  return json(status, { code, message });
}

function json(status: number, value: unknown): Response {
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  return new Response(JSON.stringify(value), { status, headers });
}
