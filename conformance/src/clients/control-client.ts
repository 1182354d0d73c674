import type { RunSnapshot } from '@hookproof/spec';
import { controlClient, controlRequest } from '@hookproof/spec/control';
import type {
  ApiFault,
  ApiFaultOrder,
  ControlOperation,
  ControlOperations,
  Delivery as DeliveryRecord,
  DeliveryAttempt,
  WebhookEndpoint as Endpoint,
  World as WorldRecord,
  WorldSummary,
} from '@hookproof/spec/control';

import type { HeaderPair } from '../http/exchange.ts';
import { isSuccess, membersOf } from '../http/message.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import { schemaFaults } from '../http/schema-faults.ts';
import type { FixtureName } from '../options/facts.ts';
import type { ControlTarget } from '../options/plan.ts';
import { keyVariable } from '../redaction/redactor.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { Inconclusive, NotApplicable } from '../verdict/findings.ts';
import type { GateSession } from '../wire/gate.ts';
import { monotonicClock, sendWithRetries } from '../wire/rate.ts';
import { isLostConnection } from '../wire/transport.ts';
import type { ApiResponse } from './api-client.ts';
import { controlOperations, responseSchema } from './control-document.ts';
import { responseOf } from './response.ts';

// What the suite reads of the types of control.yaml, as `control-document.ts` lists it.

/** An isolated set of tenants, keys and fixtures. */
export interface World extends Readonly<Pick<WorldRecord, 'id' | 'tenantId'>> {
  readonly keys: Readonly<Omit<WorldRecord['keys'], 'revoked'>>;
  readonly fixtures: Readonly<Partial<Record<FixtureName, string>>>;
}

/** A run as the control interface reports it. */
export type ControlledRun = Read<
  RunSnapshot,
  'id' | 'status',
  'automationId' | 'type' | 'triggerType'
>;

/** A configured webhook endpoint; its secret is redacted from every report. */
export type WebhookEndpoint = Read<Endpoint, 'id' | 'url' | 'secret', 'worldId'>;

/** One event for one endpoint, with all its attempts. */
export interface Delivery extends Read<
  DeliveryRecord,
  'id' | 'eventId' | 'status',
  'nextAttemptAt'
> {
  readonly attempts: readonly Read<DeliveryAttempt, 'startedAt', 'error' | 'detail'>[];
}

/** An injected fault, with what the control interface says about it. */
export type InjectedFault = Read<ApiFault, never, 'id' | 'match'>;

type Read<T, Present extends keyof T, Optional extends keyof T = never> = Readonly<
  Pick<T, Present> & Partial<Pick<T, Optional>>
>;

interface List<T> {
  readonly data: readonly T[];
}

/** An operation of `control.yaml`: parameters and body in one object. */
type Call<Id extends keyof ControlOperations, T> = (
  ...members: Parameters<ControlOperations[Id]>
) => Promise<T>;

/**
 * The control interface of the deployment under test, by the operations of `control.yaml`. `getWorld` and `getClock`
 * always work; every other method needs a run unlocked with `allowWrites`. Each throws `NoResponse` without a response,
 * `NotApplicable` when the control interface lacks an operation that is optional, and `Inconclusive` for a response that
 * is not the documented one.
 */
export interface ControlClient extends Pick<
  ControlOperations,
  | 'deleteWorld'
  | 'deleteWebhookEndpoint'
  | 'sendTestEvent'
  | 'getLimits'
  | 'changeLimits'
  | 'removeApiFault'
  | 'getClock'
  | 'advanceClock'
> {
  readonly getWorld: Call<'getWorld', World>;
  readonly createWorld: Call<'createWorld', World>;
  readonly listWorlds: Call<'listWorlds', List<Read<WorldSummary, 'id', 'label'>>>;
  readonly createRun: Call<'createRun', ControlledRun>;
  readonly readRun: Call<'readRun', ControlledRun>;
  readonly moveRun: Call<'moveRun', ControlledRun>;
  readonly createWebhookEndpoint: Call<'createWebhookEndpoint', WebhookEndpoint>;
  readonly changeWebhookEndpoint: Call<'changeWebhookEndpoint', WebhookEndpoint>;
  readonly listWebhookEndpoints: Call<'listWebhookEndpoints', List<WebhookEndpoint>>;
  readonly listDeliveries: Call<'listDeliveries', List<Delivery>>;
  readonly redeliver: Call<'redeliver', Delivery>;
  /** A fault is found again by its tenant when it is removed. */
  injectApiFault(
    fault: ApiFaultOrder & { readonly match: { readonly tenantId: string } },
  ): Promise<InjectedFault>;
  readonly listApiFaults: Call<'listApiFaults', List<InjectedFault>>;
  /** A world for several checks: it is deleted when the run ends, not when the attempt does. */
  createSharedWorld(): Promise<World>;
  /** False when work is still in flight or due on timeout. */
  waitForIdle(timeoutMilliseconds?: number): Promise<boolean>;
}

/** Statuses of an operation that the control interface does not have. */
const ABSENT: ReadonlySet<number> = new Set([404, 405, 501]);
/** As in `control.yaml`. */
const DEFAULT_WAIT_MILLISECONDS = 5_000;
const POLL_MILLISECONDS = 50;
const MAX_LOST_CONNECTIONS = 3;
/** Members that a control interface may refuse because it does not know them: then it gets the request without them. */
const EXTRA: ReadonlySet<string> = new Set(['label', 'expiresInMilliseconds']);
/**
 * What must not be done twice. A check may meet two worlds, runs, test events and redeliveries where it wanted one, as
 * on a platform in use, and a clock that moved further.
 */
const ONCE: ReadonlySet<string> = new Set<keyof ControlOperations>([
  'createWebhookEndpoint',
  'injectApiFault',
  'moveRun',
]);

/** Opens the control client of one attempt. Keys and secrets in its responses are redacted from then on. */
export function openControl(
  target: ControlTarget,
  session: GateSession,
  redactor: Redactor,
): ControlClient {
  const calls = new Calls(target, session, redactor);
  const client = controlClient(controlOperations(), (...call) => calls.call(...call));
  return {
    ...client,
    createSharedWorld: () => client.createWorld(),
    moveRun: (move) =>
      unlessDone(
        () => client.moveRun(move),
        async () => {
          const run = await client.readRun({ runId: move.runId });
          return run.status === move.status ? run : null;
        },
      ),
    /** The listener of each endpoint has a URL of its own. */
    createWebhookEndpoint: (creation) =>
      unlessDone(
        () => client.createWebhookEndpoint(creation),
        async () => {
          const { data } = await client.listWebhookEndpoints();
          const created = data.find(({ url }) => url === creation.url) ?? null;
          calls.hide(created);
          return created;
        },
      ),
    /** A response may have more members than a change: only those that a change knows are returned. */
    async getLimits() {
      const { rateLimit, accounting } = await client.getLimits();
      if (rateLimit === null) return { rateLimit, accounting };
      const { requests, windowSeconds } = rateLimit;
      return { rateLimit: { requests, windowSeconds }, accounting };
    },
    waitForIdle: (timeoutMilliseconds = DEFAULT_WAIT_MILLISECONDS) =>
      waitForIdle(client, timeoutMilliseconds, session.signal),
  };
}

/** The calls of one attempt. */
class Calls {
  readonly #target: ControlTarget;
  readonly #session: GateSession;
  readonly #redactor: Redactor;

  constructor(target: ControlTarget, session: GateSession, redactor: Redactor) {
    this.#target = target;
    this.#session = session;
    this.#redactor = redactor;
  }

  /** The body of a response; null when a wait ended with its time. */
  async call(operation: ControlOperation, members: object): Promise<unknown> {
    const response = await this.#sendAsKnown(operation, members);
    const { method, path } = controlRequest(operation, members);
    const { status, json } = response;
    if (status === 408 && '408' in operation.responses) return null;
    if (ABSENT.has(status) && operation.suite === 'optional') {
      throw new NotApplicable(`the control interface has no ${method} ${path}`);
    }
    this.hide(json);
    const schema = responseSchema(operation);
    if (isSuccess(response) && (schema?.validate(json) ?? true)) return json;
    const shown = (response.exchange.response?.body ?? 'without a body').slice(0, 300);
    const actual =
      isSuccess(response) && schema !== null
        ? `${schemaFaults(schema.validate, json)}: ${shown}. Send the members of control.yaml.`
        : `${status} ${shown}.${status === 401 ? ' Check --control-token.' : ''}`;
    const expected = schema === null ? 'a 2xx' : `a 2xx with ${schema.name} of control.yaml`;
    throw new Inconclusive(
      `${method} ${path} on the control interface: expected ${expected}, got ${actual}`,
    );
  }

  async #sendAsKnown(operation: ControlOperation, members: object): Promise<ApiResponse> {
    const response = await this.#send(operation, members);
    const known = Object.entries(members).filter(([name]) => !EXTRA.has(name));
    const isKnown = known.length === Object.keys(members).length;
    return response.status !== 400 || isKnown
      ? response
      : this.#send(operation, Object.fromEntries(known));
  }

  async #send(operation: ControlOperation, members: object): Promise<ApiResponse> {
    const { method, path, body } = controlRequest(operation, members);
    const type: HeaderPair[] = body === null ? [] : [['content-type', 'application/json']];
    const outgoing = {
      method,
      url: `${this.#target.url}${path}`,
      headers: [['authorization', `Bearer ${this.#target.token}`], ...type] as const,
      body: body === null ? null : Buffer.from(body),
    };
    const incoming = await this.#sendWithRetries(outgoing, !ONCE.has(operation.operationId));
    return responseOf(outgoing, incoming, this.#redactor);
  }

  /** A control interface may shed load as the API does. What it did before a connection broke is not done twice. */
  async #sendWithRetries(outgoing: Outgoing, isRepeatable: boolean): Promise<Incoming> {
    let wait = 0;
    let isRepeated = false;
    const incoming = await sendWithRetries(outgoing, {
      send: async (repeat) => {
        isRepeated ||= repeat !== null;
        if (wait > 0) await monotonicClock.sleep(wait, this.#session.signal);
        wait = 0;
        return this.#session.send('control', outgoing, repeat);
      },
      pause: (milliseconds) => (wait = milliseconds),
      now: Date.now,
      isRepeatable,
    });
    const isGone = isRepeated && outgoing.method === 'DELETE' && incoming.status === 404;
    return isGone ? { ...incoming, status: 204, bytes: new Uint8Array() } : incoming;
  }

  /** Keys of a world, and the secret of an endpoint, of each of a list too, in any shape: a message may quote them. */
  hide(json: unknown): void {
    const { keys, secret, data } = membersOf(json);
    for (const [name, key] of Object.entries(membersOf(keys)))
      this.#hideTexts(keyVariable(name), key);
    this.#hideTexts('HOOKPROOF_ENDPOINT_SECRET', secret);
    for (const entry of Array.isArray(data) ? data : []) this.hide(entry);
  }

  #hideTexts(name: string, value: unknown): void {
    if (typeof value === 'string') this.#redactor.add(name, value);
    else if (typeof value === 'object' && value !== null) {
      for (const one of Object.values(value)) this.#hideTexts(name, one);
    }
  }
}

/** Repeats a request after a lost connection, unless the first one had its effect. */
async function unlessDone<T>(
  request: () => Promise<T>,
  effect: () => Promise<T | null>,
): Promise<T> {
  for (let lost = 1; ; lost += 1) {
    try {
      return await request();
    } catch (error) {
      if (lost === MAX_LOST_CONNECTIONS || !isLostConnection(error)) throw error;
      const done = await effect();
      if (done !== null) return done;
    }
  }
}

/** A control interface that cannot wait is asked again and again. */
async function waitForIdle(
  client: Pick<ControlOperations, 'wait' | 'getClock' | 'listDeliveries'>,
  timeoutMilliseconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const state: unknown = await client.wait({ for: 'idle', timeoutMilliseconds });
    return state !== null;
  } catch (error) {
    if (!(error instanceof NotApplicable)) throw error;
  }
  const end = Date.now() + timeoutMilliseconds;
  for (;;) {
    const now = Date.parse((await client.getClock()).now);
    const { data } = await client.listDeliveries({});
    if (!data.some((delivery) => isInProgress(delivery, now))) return true;
    if (Date.now() >= end) return false;
    await monotonicClock.sleep(POLL_MILLISECONDS, signal);
  }
}

/** Whether an attempt is being made or due. */
function isInProgress({ status, nextAttemptAt = null }: Delivery, now: number): boolean {
  return status === 'pending' && (nextAttemptAt === null || Date.parse(nextAttemptAt) <= now);
}
