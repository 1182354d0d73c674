import type { CheckContext } from '../../../check-kit/check.ts';
import { violation } from '../../../check-kit/expect.ts';
import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import type { Diagnosis } from '../../../diagnosis/diagnosis.ts';
import { isRecord } from '../../../http/message.ts';
import { ReportedElsewhere, Violation } from '../../../verdict/findings.ts';
import { requestOf } from './operation.ts';
import type { ApiOperation, ValidRequest } from './operation.ts';
import { assumeGranted, isGranted, send } from './requests.ts';
import { openSandbox, tenantSandbox } from './sandbox.ts';
import type { Sandbox } from './sandbox.ts';
import { StateBefore } from './state-before.ts';

/** The response to a request that must be refused. */
export interface Refused {
  readonly sandbox: Sandbox;
  /** The request without what is wrong with it. */
  readonly valid: ValidRequest;
  readonly response: ApiResponse;
  readonly caller: Caller;
  /** Whether this is the first form of the operation, which succeeds with the right key. */
  readonly isFirstForm: boolean;
}

/** What a request has in place of the right key. */
export interface Caller extends Pick<ApiRequest, 'key' | 'scheme' | 'headers'> {
  /** "a key with one more character", for a check with several callers. */
  readonly words?: string;
  /** Why a target admits this one and refuses plainer ones. */
  readonly diagnosis?: Diagnosis;
}

/** What is wrong with the requests of a check, and how their responses are judged. */
export interface Wrong {
  callers(sandbox: Sandbox): readonly Caller[];
  /** Forms that the operation accepts from nobody else. */
  readonly moreForms?: (sandbox: Sandbox, valid: ValidRequest) => readonly ValidRequest[];
  /** A caller that is wrong in a plainer way. If that is admitted, its own check reports it, and this one could not run. */
  readonly plainer?: { readonly caller: (sandbox: Sandbox) => Caller; readonly check: string };
  /** Throws what is wrong with a response. */
  judge(refused: Refused): Promise<void>;
}

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
  await assumeGranted(context, operation);
  const together = await Requests.open(context, operation, wrong);
  try {
    await together.send(together.isRepeatable ? 'at-the-end' : 'after-each');
  } catch (error) {
    if (!(error instanceof Violation) || !together.isRepeatable) throw error;
    // In another world, the state after each request says which of them it was.
    await (await Requests.open(context, operation, wrong)).send('after-each');
    throw error;
  }
}

/** The requests of one check, in one sandbox. */
class Requests {
  readonly #operation: ApiOperation;
  readonly #wrong: Wrong;
  readonly #sandbox: Sandbox;
  readonly #forms: readonly ValidRequest[];
  readonly #state: StateBefore;

  private constructor(
    operation: ApiOperation,
    wrong: Wrong,
    sandbox: Sandbox,
    forms: readonly ValidRequest[],
    state: StateBefore,
  ) {
    this.#operation = operation;
    this.#wrong = wrong;
    this.#sandbox = sandbox;
    this.#forms = forms;
    this.#state = state;
  }

  static async open(
    context: CheckContext,
    operation: ApiOperation,
    wrong: Wrong,
  ): Promise<Requests> {
    const reads = operation.access === 'read';
    const sandbox = reads ? tenantSandbox(context) : await openSandbox(context);
    const first = await operation.request(sandbox);
    const forms = [
      first,
      ...(operation.otherForms?.(sandbox, first) ?? []),
      ...(wrong.moreForms?.(sandbox, first) ?? []),
    ];
    const state = await StateBefore.read(reads ? [] : (operation.visible?.(sandbox, first) ?? []));
    return new Requests(operation, wrong, sandbox, forms, state);
  }

  get isRepeatable(): boolean {
    return this.#operation.access !== 'read' && this.#sandbox.disposable;
  }

  async send(looks: 'after-each' | 'at-the-end'): Promise<void> {
    const wrong = this.#wrong;
    const { plainer } = wrong;
    let last: ApiResponse | null = null;
    for (const valid of this.#forms) {
      if (plainer !== undefined) {
        await this.#ask(valid, plainer.caller(this.#sandbox), looks).catch((error: unknown) => {
          throw error instanceof Violation
            ? new ReportedElsewhere(
                'the target does not even refuse a plainer request',
                plainer.check,
              )
            : error;
        });
      }
      for (const caller of wrong.callers(this.#sandbox)) {
        last = await this.#ask(valid, caller, looks);
      }
    }
    if (last !== null) await this.#state.expectSame(last);
    this.#state.assumeRead();
    if (this.isRepeatable) await this.#expectStillAccepted();
  }

  /** Sends the request in one form, and judges its response. */
  async #ask(
    valid: ValidRequest,
    caller: Caller,
    looks: 'after-each' | 'at-the-end',
  ): Promise<ApiResponse> {
    const changing = valid.changing === undefined ? valid : { ...valid, json: valid.changing };
    const { words: _words, diagnosis: _diagnosis, ...own } = caller;
    const request = { ...requestOf(this.#operation, changing), ...own };
    const response = await send(this.#sandbox, this.#operation, request);
    const isFirstForm = valid === this.#forms[0];
    const refused = { sandbox: this.#sandbox, valid, response, caller, isFirstForm };
    // That a request is granted says more than its effect.
    if (isGranted(response)) await this.#wrong.judge(refused);
    if (looks === 'after-each') await this.#state.expectSame(response);
    await this.#wrong.judge(refused);
    return response;
  }

  /** What no reader shows, such as an upload that is used up, shows in the valid request. */
  async #expectStillAccepted(): Promise<void> {
    const [valid] = this.#forms;
    if (valid === undefined) return;
    const request = { ...requestOf(this.#operation, valid), key: this.#sandbox.key };
    const response = await send(this.#sandbox, this.#operation, request);
    if (isGranted(response)) return;
    throw violation(
      'no effect of the refused requests: the valid request succeeds after them',
      `status ${response.status}`,
      response,
    );
  }
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
    const request = { ...requestOf(operation, valid), key: sandbox.key };
    if (!isGranted(await send(sandbox, operation, request))) return;
  }
  const { words, diagnosis, key } = caller;
  throw new Violation({
    expected: `status ${status}${words === undefined ? '' : ` to ${words}`}`,
    actual: `status ${response.status}`,
    exchange: response.exchange,
    ...(diagnosis === undefined || !isGranted(response) ? {} : { diagnosis }),
    ...(isRecord(key) && 'like' in key ? { onlyBySuite: true } : {}),
  });
}
