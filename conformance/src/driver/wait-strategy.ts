import type { ControlClient, Delivery } from '../clients/control-client.ts';
import type { Listener } from '../listener/listener.ts';

/** How a check waits for a condition. */
export interface WaitStrategy {
  /** Resolves when the condition holds or on timeout. */
  until(condition: () => boolean, listener: Listener): Promise<Waited>;
}

/** How long a check has waited for what it wanted to see. */
export interface Waited {
  /** By the sender's clock. */
  readonly milliseconds: number;
  readonly clock: 'real' | 'virtual';
  /** Why what did not arrive may still be on its way; null when nothing suggests it. */
  readonly doubt: string | null;
}

/** The time limits of a wait. */
export interface WaitTimes {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How long a wait on a real clock lasts. */
  readonly retryWindowMilliseconds: number;
  /** Ends every wait when it aborts. */
  readonly signal: AbortSignal;
}

type Deployment = Pick<
  ControlClient,
  'advanceClock' | 'getClock' | 'listDeliveries' | 'waitForIdle'
>;

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const HELD_PAUSE = SECOND / 20;
/** The real time that a last delivery may take to arrive: when the sender reports to be idle, and otherwise. */
const LAST_ARRIVAL = { idle: SECOND / 10, busy: SECOND };
/** The real time without an arrival after which deliveries that are on their way are not waited for any longer. */
const ARRIVAL_TIMEOUT = 10 * SECOND;

/** Growing steps, so that the sender acts when an attempt is due and not at the end of one long step. */
const STEPS = [0, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_200].map((step) => step * SECOND);
const LONG_STEPS = [HOUR, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR];
/** A step that is longer than this stops after each attempt that is due in it: it could outlast the sender's timeout. */
const LONGEST_STEP = SECOND;
/** A control interface that always reports a next attempt must not take for ever. */
const MAX_STOPS = 200;

export async function chooseWaitStrategy(
  control: Deployment,
  endpointId: string,
  times: WaitTimes,
): Promise<WaitStrategy> {
  const { mode } = await control.getClock();
  return mode === 'virtual' ? advancing(control, endpointId, times) : waiting(times);
}

/** On a virtual clock: advances it by more than a day. Only in checks that run alone. */
function advancing(control: Deployment, endpointId: string, times: WaitTimes): WaitStrategy {
  const { signal } = times;
  return {
    async until(condition, listener) {
      let passed = 0;
      let arrivalTimeout = ARRIVAL_TIMEOUT;
      let state: State = 'idle';
      let stops = 0;
      let { now } = await control.getClock();
      const steps = [...STEPS, ...LONG_STEPS];
      for (
        let step = steps.shift();
        step !== undefined && !condition() && !signal.aborted;
        step = steps.shift()
      ) {
        const isStopping = step > LONGEST_STEP && stops < MAX_STOPS;
        const due = isStopping ? nextDue(await control.listDeliveries({ endpointId }), now) : null;
        const part = Math.min(step, (due ?? Infinity) + LONGEST_STEP);
        if (part < step) {
          stops += 1;
          steps.unshift(step - part);
        }
        ({ now } = await control.advanceClock({ milliseconds: part }));
        passed += part;
        state = await settled(condition, listener, control, { ...times, arrivalTimeout });
        // A sender that is never idle is not waited for again and again.
        if (state === 'busy') arrivalTimeout = SECOND;
      }
      const lastArrival = state === 'idle' ? LAST_ARRIVAL.idle : LAST_ARRIVAL.busy;
      if (!condition()) await arrivals(condition, listener, lastArrival, times);
      const isBusy = arrivalTimeout < ARRIVAL_TIMEOUT;
      return {
        milliseconds: passed,
        clock: 'virtual',
        doubt: isBusy
          ? `deliveries were still on their way ${ARRIVAL_TIMEOUT / SECOND} s after the last one arrived`
          : null,
      };
    },
  };
}

/** The milliseconds until the next attempt is due; null when none is, or nothing says when. */
function nextDue({ data }: { readonly data: readonly Delivery[] }, now: string): number | null {
  const delays = data.flatMap(({ status, nextAttemptAt = null }) => {
    if (status !== 'pending' || nextAttemptAt === null) return [];
    const delay = Date.parse(nextAttemptAt) - Date.parse(now);
    return delay > 0 ? [delay] : [];
  });
  return delays.length === 0 ? null : Math.min(...delays);
}

/** What a sender did when the clock was to advance. `held`: it waits for the response to a delivery. */
type State = 'idle' | 'held' | 'busy' | 'condition met';

/** Waits for the deliveries that are on their way: if the clock advanced, the sender would treat them as timed out. */
async function settled(
  condition: () => boolean,
  listener: Listener,
  control: Deployment,
  { arrivalTimeout, now, signal }: WaitTimes & { readonly arrivalTimeout: number },
): Promise<State> {
  const isMet = paced(condition);
  let { reached } = listener;
  let end = now() + arrivalTimeout;
  while (!isMet() && !signal.aborted) {
    const isHeld = listener.held > 0;
    if (!isHeld && (await control.waitForIdle(SECOND))) return 'idle';
    await listener.arrival(HELD_PAUSE);
    if (isHeld) return 'held';
    if (listener.reached > reached) end = now() + arrivalTimeout;
    else if (now() >= end) return 'busy';
    ({ reached } = listener);
  }
  return 'condition met';
}

/** On a real clock: waits for the retry window. */
export function waiting(times: WaitTimes): WaitStrategy {
  const { retryWindowMilliseconds, now } = times;
  return {
    async until(condition, listener) {
      const started = now();
      await arrivals(condition, listener, retryWindowMilliseconds, times);
      return { milliseconds: now() - started, clock: 'real', doubt: null };
    },
  };
}

async function arrivals(
  condition: () => boolean,
  listener: Listener,
  milliseconds: number,
  { now, signal }: WaitTimes,
): Promise<void> {
  const isMet = paced(condition);
  const end = now() + milliseconds;
  while (!isMet() && !signal.aborted && now() < end) {
    await listener.arrival(Math.min(end - now(), SECOND / 4));
  }
}

/** How much longer nothing is asked than the last question took. */
const PAUSE_FACTOR = 4;

/** Asks a condition that looks at all deliveries so far, but not again after each of thousands. */
function paced(condition: () => boolean): () => boolean {
  let next = 0;
  return () => {
    const startedAt = performance.now();
    if (startedAt < next) return false;
    const isMet = condition();
    const endedAt = performance.now();
    next = endedAt + (endedAt - startedAt) * PAUSE_FACTOR;
    return isMet;
  };
}
