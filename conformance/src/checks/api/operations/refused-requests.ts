import type { CheckContext } from '../../../check-kit/check.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import { violation } from '../../../check-kit/expect.ts';
import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import type { Diagnosis } from '../../../diagnosis/diagnosis.ts';
import { isRecord } from '../../../http/message.ts';
import { judgeEach } from '../../../check-kit/values.ts';
import { optionRemedy } from '../../../options/remedies.ts';
import { CouldNotRun, Violation } from '../../../verdict/findings.ts';
import { requestOf, titleOf } from './operation.ts';
import type { ApiOperation, ValidRequest } from './operation.ts';
import { assumeGranted, assumeServed, isGranted, responseToNothing, send } from './requests.ts';
import { openSandbox } from './sandbox.ts';
import { StateBefore } from './state-before.ts';

/** The response to a request that must be refused. */
export interface Refused {
  readonly sandbox: CheckContext;
  /** The request without what is wrong with it. */
  readonly valid: ValidRequest;
  readonly response: ApiResponse;
  readonly caller: Caller;
  /** Whether this is the first form of the operation, which succeeds with the right key. */
  readonly isFirstForm: boolean;
}

/** What a request has in place of the right key. */
export interface Caller extends Pick<ApiRequest, 'key' | 'scheme' | 'headers'> {
  /** "the key with one more character", for a check with several callers. */
  readonly words?: string;
  /** Why a target admits this one, where it refuses those before it. */
  readonly diagnosis?: Diagnosis;
}

/** What is wrong with the requests of a check, and how their responses are judged. */
export interface Wrong {
  readonly callers: readonly Caller[];
  /** Forms that the operation accepts from nobody else. */
  readonly moreForms?: (sandbox: CheckContext, valid: ValidRequest) => readonly ValidRequest[];
  /** Throws what is wrong with a response. */
  judge(refused: Refused): Promise<void>;
}

/** The requests of one check, and what a reader sees before them. */
interface Requests {
  readonly sandbox: CheckContext;
  readonly forms: readonly ValidRequest[];
  readonly state: StateBefore;
  /** What the right key gets for ids that exist nowhere; null where the ids exist. */
  readonly statusOfNothing: number | null;
}

/** Whether the state is read after each request, so that it is known which one had an effect, or once. */
type Looks = 'after-each' | 'at-the-end';

/**
 * Sends requests that would change something visible, in every form of the operation. Throws what `judge` throws, and a
 * violation for a refused request that has an effect all the same. With a control interface, writes happen in a world of
 * their own.
 */
export async function expectRefused(
  context: CheckContext,
  operation: ApiOperation,
  wrong: Wrong,
): Promise<void> {
  if (isToNothing(context, operation)) await assumeServed(context, operation);
  else await assumeGranted(context, operation);
  const requests = await prepare(context, operation, wrong);
  const isRepeatable = operation.access !== 'read' && requests.sandbox.disposable;
  try {
    await sendAll(operation, wrong, requests, isRepeatable ? 'at-the-end' : 'after-each');
    if (isRepeatable) await expectStillAccepted(operation, requests);
  } catch (error) {
    if (!(error instanceof Violation) || !isRepeatable) throw error;
    // In another world, the state after each request says which of them it was.
    await sendAll(operation, wrong, await prepare(context, operation, wrong), 'after-each');
    throw error;
  }
}

/** Outside a world, a lax target could do what cannot be taken back. */
function isToNothing(context: CheckContext, { toNothing }: ApiOperation): boolean {
  return toNothing !== undefined && controlOrNull(context) === null;
}

async function prepare(
  context: CheckContext,
  operation: ApiOperation,
  wrong: Wrong,
): Promise<Requests> {
  if (operation.toNothing !== undefined && isToNothing(context, operation)) {
    const sandbox = await openSandbox(context);
    return {
      sandbox,
      forms: [await operation.toNothing(sandbox)],
      state: await StateBefore.read([]),
      statusOfNothing: (await responseToNothing(context, operation))?.response.status ?? null,
    };
  }
  const reads = operation.access === 'read';
  const sandbox = reads ? context : await openSandbox(context);
  const first = await operation.request(sandbox);
  const forms = [
    first,
    ...(operation.otherForms?.(sandbox, first) ?? []),
    ...(wrong.moreForms?.(sandbox, first) ?? []),
  ];
  const state = await StateBefore.read(reads ? [] : (operation.visible?.(sandbox, first) ?? []));
  return { sandbox, forms, state, statusOfNothing: null };
}

async function sendAll(
  operation: ApiOperation,
  wrong: Wrong,
  requests: Requests,
  looks: Looks,
): Promise<void> {
  const { forms, state } = requests;
  const sent = forms.flatMap((valid) => wrong.callers.map((caller) => ({ valid, caller })));
  let last: ApiResponse | null = null;
  // What one request has changed is no effect of those after it.
  let isUnchanged = true;
  await judgeEach(
    sent,
    ({ caller: { words = null } }) => words,
    async (one) => {
      const own = isUnchanged ? looks : 'at-the-end';
      try {
        last = await sendOne(operation, wrong, requests, { ...one, looks: own });
      } catch (error) {
        isUnchanged &&= !(error instanceof Violation);
        throw error;
      }
    },
  );
  if (last !== null) await state.expectSame(last);
  state.assumeRead();
}

/** Sends the request in one form, and judges its response. */
async function sendOne(
  operation: ApiOperation,
  wrong: Wrong,
  { sandbox, forms, state, statusOfNothing }: Requests,
  { valid, caller, looks }: Pick<Refused, 'valid' | 'caller'> & { readonly looks: Looks },
): Promise<ApiResponse> {
  const changing = valid.changing === undefined ? valid : { ...valid, json: valid.changing };
  const { words: _words, diagnosis: _diagnosis, ...own } = caller;
  const response = await send(sandbox, operation, { ...requestOf(operation, changing), ...own });
  if (response.status === statusOfNothing) {
    // Which of two errors comes first is open.
    throw new CouldNotRun(
      `${titleOf(operation)} says first that the ids exist nowhere, with ${response.status}, so that only ids that exist show what it says of the key`,
      optionRemedy('control'),
    );
  }
  const refused = { sandbox, valid, response, caller, isFirstForm: valid === forms[0] };
  // That a request is granted says more than its effect.
  if (isGranted(response)) await wrong.judge(refused);
  if (looks === 'after-each') await state.expectSame(response);
  await wrong.judge(refused);
  return response;
}

/** What no reader shows, such as an upload that is used up, shows in the valid request. */
async function expectStillAccepted(
  operation: ApiOperation,
  { sandbox, forms: [valid] }: Requests,
): Promise<void> {
  if (valid === undefined) return;
  const response = await send(sandbox, operation, requestOf(operation, valid));
  if (isGranted(response)) return;
  throw violation(
    'no effect of the refused requests: the valid request succeeds after them',
    `status ${response.status}`,
    response,
  );
}

/**
 * Throws a violation for another status than this. In another form than the first, it counts only if the target accepts
 * that form from the right key: if not, another error may come first.
 */
export async function expectStatusInEveryForm(
  operation: ApiOperation,
  { sandbox, valid, response, caller, isFirstForm }: Refused,
  status: number,
): Promise<void> {
  if (response.status === status) return;
  if (!isFirstForm && !isGranted(response)) {
    if (!isGranted(await send(sandbox, operation, requestOf(operation, valid)))) return;
  }
  const { diagnosis, key } = caller;
  throw new Violation({
    expected: `status ${status}`,
    actual: `status ${response.status}`,
    exchange: response.exchange,
    ...(diagnosis === undefined || !isGranted(response) ? {} : { diagnosis }),
    ...(isRecord(key) && 'like' in key ? { onlyBySuite: true } : {}),
  });
}
