import { setMaxListeners } from 'node:events';

import type { Check, CheckContext } from '../check-kit/check.ts';
import { ExchangeLog } from '../check-kit/exchange-log.ts';
import type { ApiResponse } from '../clients/api-client.ts';
import { openControl } from '../clients/control-client.ts';
import type { ControlClient } from '../clients/control-client.ts';
import { AttemptHistory } from '../clients/attempt-history.ts';
import { Effects } from '../clients/effects.ts';
import { createApiClient } from '../clients/create-api-client.ts';
import type { ApiTarget } from '../clients/create-api-client.ts';
import { Samples } from '../clients/samples.ts';
import { createReceiverClient } from '../clients/receiver-client.ts';
import { createControlDriver } from '../driver/control-driver.ts';
import { createRecordedDriver } from '../driver/recorded-driver.ts';
import type { Recording } from '../driver/recording.ts';
import { openListenerServer } from '../listener/listener-server.ts';
import type { ListenerServer } from '../listener/listener-server.ts';
import type { Hooks } from '../http/between.ts';
import { fixtureRemedy, optionRemedy } from '../options/remedies.ts';
import type { Facts } from '../options/facts.ts';
import type { JournalStore } from '../options/journal-store.ts';
import type { Plan } from '../options/plan.ts';
import { Redactor, keyVariable } from '../redaction/redactor.ts';
import { Journal } from '../undo/journal.ts';
import type { JournalScope } from '../undo/journal.ts';
import { recordedControl } from '../undo/recorded-control.ts';
import { keyDigestOf } from '../undo/key-digest.ts';
import { CouldNotRun } from '../verdict/findings.ts';
import { createGate } from '../wire/gate.ts';
import type { Gate, GateSession } from '../wire/gate.ts';
import type { Access, GateRules } from '../wire/gate-rules.ts';
import { worldFacts } from './world-facts.ts';
import { createPacer, monotonicClock } from '../wire/rate.ts';
import { throttled } from '../wire/throttled.ts';

/** What all attempts of a run share: the gate, the known secrets and the shared samples. */
export interface RunContext {
  readonly plan: Plan;
  readonly gate: Gate;
  readonly redactor: Redactor;
  readonly now: () => number;
  /** Whether a violation counts only when a second attempt finds one too. */
  readonly confirms: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The listener server, started at the first call. */
  readonly listeners: () => Promise<ListenerServer>;
  readonly samples: Samples;
  /** The shared samples of second attempts, which share nothing with the first. */
  readonly confirmingSamples: Samples;
  readonly redirects: WeakMap<ApiResponse, string>;
  readonly followed: WeakMap<ApiResponse, Promise<ApiResponse>>;
  /** The changes of the run that are not undone yet. Null for a run that only reads. */
  readonly journal: Journal | null;
  /** What could not be put back, with the reason; null where what is left says it. */
  readonly leftBehind: Map<string, string | null>;
  /** How long writes take to show. */
  readonly effects: Effects;
  /** `isStale`: a list did not show for long what was written back. */
  readonly lists: { isStale: boolean };
  /** Aborts when the caller ends the run. */
  readonly signal: AbortSignal;
  /** Aborts a moment later: what is put back must be put back by then. */
  readonly deadline: AbortSignal;
  readonly exchanges: ExchangeLog;
  /** Tells the caller what the run waits for. */
  readonly notice: (text: string) => void;
  /** The same for its checks, of which many wait for the same. */
  readonly noticeOfChecks: (text: string) => void;
  /** Called before the run closes, last one first. */
  readonly closers: (() => Promise<void>)[];
  /** Calls the closers, then closes the gate and the listener server. */
  close(): Promise<void>;
}

/** What the caller of a run supplies besides its plan. */
export interface Given {
  readonly now: () => number;
  readonly hooks: Hooks;
  /** Whether a violation counts only when a second attempt finds one too. */
  readonly confirms: boolean;
  readonly journal?: JournalStore | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onNotice?: ((text: string) => void) | undefined;
}

/** Opens the gate for the URLs of the plan, and gives the secrets of the plan to the redactor. */
export function createRunContext(
  plan: Plan,
  { now, hooks, confirms, journal: store, signal, onNotice }: Given,
): RunContext {
  const pacers = {
    api: createPacer(plan.requestsPerSecond, monotonicClock),
    receiver: createPacer(plan.deliveriesPerSecond, monotonicClock),
  };
  const redactor = redactorOf(plan);
  const notice = (text: string): void => onNotice?.(redactor.redact(text));
  const gate = createGate(gateRulesOf(plan), {
    maxRequests: plan.maxRequests,
    proxy: plan.proxy,
    pacers,
    clock: monotonicClock,
    hooks,
    notice,
  });
  const closers: RunContext['closers'] = [];
  const listenerSetting = { now, between: hooks.delivery, onRemark: firstOnly(notice) };
  let server: Promise<ListenerServer> | undefined;
  const { allowWrites, allowDeletes } = plan;
  const journal = allowWrites || allowDeletes ? new Journal(store ?? null) : null;
  const ending = withoutListenerLimit(AbortSignal.any(signal === undefined ? [] : [signal]));
  return {
    plan,
    journal,
    leftBehind: new Map(),
    effects: new Effects({ isProof: !confirms }),
    lists: { isStale: false },
    signal: ending,
    deadline: withoutListenerLimit(deadlineAfter(ending)),
    gate,
    redactor,
    notice,
    noticeOfChecks: throttled(notice, now),
    now,
    confirms,
    startedAt: now(),
    listeners: () => (server ??= openListenerServer(plan.listen, listenerSetting)),
    samples: new Samples(),
    confirmingSamples: new Samples(),
    redirects: new WeakMap(),
    followed: new WeakMap(),
    exchanges: new ExchangeLog(),
    closers,
    async close() {
      for (const closer of closers.toReversed()) await closer();
      await gate.close();
      await (await server?.catch(() => undefined))?.close();
    },
  };
}

/** Passes on the first text: a sender may do the same with each of many endpoints. */
function firstOnly(notice: (text: string) => void): (text: string) => void {
  let isTold = false;
  return (text) => {
    if (!isTold) notice(text);
    isTold = true;
  };
}

/** An interrupted run ends within five seconds, of which its reports need some. */
const PUT_BACK_MILLISECONDS = 3_500;

function deadlineAfter(ending: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const begin = (): void => {
    setTimeout(() => controller.abort(), PUT_BACK_MILLISECONDS).unref();
  };
  if (ending.aborted) begin();
  else ending.addEventListener('abort', begin, { once: true });
  return controller.signal;
}

/** Every attempt in progress listens: Node warns above ten. */
function withoutListenerLimit(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}

function gateRulesOf(plan: Plan): GateRules {
  const { allowWrites, allowDeletes, baseUrl, appUrl, control, receiver } = plan;
  return {
    allowWrites,
    allowDeletes,
    origins: {
      api: origins(baseUrl, appUrl),
      control: origins(control?.url),
      receiver: origins(receiver?.url, receiver?.observerUrl),
      listener: origins(plan.listen.publicUrl),
    },
  };
}

function origins(...urls: (string | null | undefined)[]): string[] {
  return urls.filter((url) => url != null).map((url) => new URL(url).origin);
}

function redactorOf({ keys, headers, proxy, control, receiver }: Plan): Redactor {
  const redactor = new Redactor();
  for (const [name, value] of headers) redactor.add(headerVariable(name), value);
  for (const url of [proxy?.http, proxy?.https]) {
    if (url !== undefined)
      redactor.add('PROXY_PASSWORD', decodeURIComponent(new URL(url).password));
  }
  for (const [name, key] of Object.entries(keys)) redactor.add(keyVariable(name), key);
  if (control !== null) redactor.add('HOOKPROOF_CONTROL_TOKEN', control.token);
  if (receiver === null) return redactor;
  redactor.add('WEBHOOK_SECRET', receiver.secret);
  for (const url of [receiver.url, receiver.observerUrl]) {
    if (url === null) continue;
    // Such a value may be a token.
    for (const value of new URL(url).searchParams.values()) {
      redactor.add('HOOKPROOF_RECEIVER_QUERY', value);
    }
  }
  return redactor;
}

/** The variable of a header: `HOOKPROOF_HEADER_CF_ACCESS_CLIENT_ID`. */
function headerVariable(name: string): string {
  return `HOOKPROOF_HEADER_${name.toUpperCase().replaceAll(/\W/g, '_')}`;
}

/** What is known about the target when a context is opened. */
export interface KnownTarget {
  readonly facts: Facts;
  readonly receiver: { readonly clockOffsetMilliseconds: number | null } | null;
  readonly recording: Recording | null;
}

/** What a run knows before it knows more. */
export const UNKNOWN_TARGET: KnownTarget = {
  facts: { keys: {}, fixtures: {} },
  receiver: null,
  recording: null,
};

/** What one attempt needs: a gate session bound to the signal, its changes, and the context on top of them. */
interface OpenedAttempt {
  readonly context: CheckContext;
  readonly session: GateSession;
  /** Null for a check that only reads. */
  readonly changes: JournalScope | null;
  readonly history: AttemptHistory;
}

/** Opens an attempt. */
export type OpenAttempt = (check: Check, attempt: number, signal: AbortSignal) => OpenedAttempt;

/** Opens attempts with the access of the check. A second attempt uses new connections. */
export function attemptOpener(run: RunContext, known: KnownTarget): OpenAttempt {
  return ({ id, access }, attempt, signal) => {
    const history = new AttemptHistory(run.redactor);
    const { note: onExchange } = history;
    const session = run.gate.session({ access, signal, fresh: attempt > 1, by: id, onExchange });
    const changes = access === 'read' ? null : (run.journal?.scope() ?? null);
    const opened = { session, changes, access };
    const context = contextOf(run, known, opened, { id, attempt, disposable: false });
    return { session, changes, history, context };
  };
}

/** A context for the requests of the run itself, before its first check. */
export function ownContext(run: RunContext, access: Access, keys: Facts['keys']): CheckContext {
  const known = { ...UNKNOWN_TARGET, facts: { keys, fixtures: {} } };
  const session = ownSession(run, access);
  return contextOf(run, known, { session, changes: run.journal, access });
}

/** A gate session for the requests of the run itself. */
export function ownSession(run: RunContext, access: Access): GateSession {
  return run.gate.session({ access, signal: run.signal, fresh: false });
}

/** A context that puts back changes: it may write, and its requests have no maximum. */
export function restoringContext(
  run: RunContext,
  known: KnownTarget,
  signal: AbortSignal,
): CheckContext {
  const session = run.gate.session({ access: 'write', signal, fresh: false, unlimited: true });
  return contextOf(run, known, { session, changes: run.journal, access: 'write' });
}

const OF_RUN = { id: 'this run', attempt: 1, disposable: false };

function contextOf(
  run: RunContext,
  known: KnownTarget,
  opened: Pick<OpenedAttempt, 'session' | 'changes'> & Pick<Check, 'access'>,
  own: Pick<CheckContext, 'id' | 'attempt' | 'disposable'> = OF_RUN,
): CheckContext {
  const { facts, receiver, recording } = known;
  const { session, changes, access } = opened;
  const { attempt, disposable } = own;
  const { plan, redactor, redirects, followed, exchanges, effects, now } = run;
  const samples = attempt === 1 ? run.samples : run.confirmingSamples;
  const { baseUrl, appUrl, headers } = plan;
  const note: ExchangeLog['note'] = (...exchange) => exchanges.note(...exchange);
  const notePassing: ExchangeLog['notePassing'] = (response) => exchanges.notePassing(response);
  const writing: ApiTarget['writing'] = async (outgoing) => {
    const written = await changes?.writing(outgoing);
    return async (response) => written?.done(response);
  };
  const notes = { note, notePassing, writing, effects };
  const addresses = { baseUrl, appUrl, headers };
  const cached = { samples, redirects, followed };
  const target = { ...addresses, keys: facts.keys, ...cached, ...notes, redactor };
  const { retryWindowMilliseconds } = plan;
  const { signal } = session;
  const keyDigest = keyDigestOf(facts.keys.main?.value ?? '');
  let client: ControlClient | undefined;
  const control = (): ControlClient => {
    if (client !== undefined) return client;
    if (plan.control === null)
      throw new CouldNotRun('no control interface', optionRemedy('control'));
    const unrecorded = openControl(plan.control, session, redactor);
    return (client = changes === null ? unrecorded : recordedControl(unrecorded, changes));
  };
  return {
    api: createApiClient(target, session, run),
    get control() {
      return control();
    },
    get sender() {
      if (recording !== null) return createRecordedDriver(recording, { now, signal });
      const times = { now, retryWindowMilliseconds, signal };
      return createControlDriver(control(), run.listeners, times);
    },
    get receiver() {
      if (plan.receiver === null) throw new CouldNotRun('no receiver', optionRemedy('receiver'));
      const offset = receiver?.clockOffsetMilliseconds ?? null;
      return createReceiverClient(plan.receiver, offset, session, run);
    },
    fixture(name) {
      const found = facts.fixtures[name];
      if (found !== undefined) return found.value;
      throw disposable
        ? new CouldNotRun(
            `no fixture ${name} in the world of the control interface`,
            `return fixtures.${name} from POST /worlds of the control interface`,
          )
        : new CouldNotRun(`no fixture ${name}`, fixtureRemedy(name));
    },
    inWorld: (world) =>
      contextOf(run, { ...known, facts: worldFacts(world) }, opened, { ...own, disposable: true }),
    ...own,
    run,
    restoreLater(reading) {
      if (!disposable) changes?.note({ kind: 'fields', ...reading, keyDigest, written: {} });
    },
    async takeBackLater(request) {
      const outstanding = changes?.outstanding() ?? [];
      const isKnown = outstanding.some(
        ({ undo }) => undo.kind === 'patch' && undo.path === request.path,
      );
      if (!disposable && !isKnown) await changes?.record({ kind: 'patch', ...request, keyDigest });
    },
    effects: {
      shown: (read, judge) => run.effects.shown(read, judge, (time) => session.wait(time)),
      measure: async (work) => {
        if (plan.allowWrites && access !== 'read') await run.effects.measure(work);
      },
    },
    exchanges,
    signal,
    now,
    notice: run.noticeOfChecks,
    retryWindowMilliseconds,
    redact: redactor.redact,
  };
}
