import { knownName, optionsObject } from '../argument-checks.ts';
import { nextTurn } from '../clock.ts';
import { createReceiver } from '../create-receiver.ts';
import type { Receiver } from '../create-receiver.ts';
import type { RunEvent } from '../generated/run-events.ts';
import type { Problem } from '../problems.ts';
import type { Processing } from '../processing/processing.ts';
import type { WorkingOptions } from '../processing/working-options.ts';
import type { ReceiverOptions } from '../runs/receiver-options.ts';
import { memoryStore } from '../stores/memory/memory-store.ts';
import type { DeadLetter } from '../processing/stored-event.ts';
import type { Store, StoreTransaction } from '../stores/store.ts';
import type { HandlingContext, SettledRun } from '../runs/handlers.ts';
import type { Sources, SourcesOptions, SourcesReceiver } from '../several-sources.ts';
import type { Signer } from './signers.ts';
import { testSender } from './test-sender.ts';
import type { SendOptions, SentDelivery } from './test-sender.ts';
import { virtualClock } from './virtual-clock.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** The options of a receiver, without those that the test receiver sets. Default: no handlers. */
export interface TestReceiverOptions<Tx = unknown> extends Omit<
  Partial<ReceiverOptions<Tx>>,
  'secrets' | 'store' | 'clock'
> {
  /**
   * What handlers get as `context.tx`, for instance a fake of your database. Nothing is committed
   * or rolled back. Default: `undefined`, as with every store without transactions.
   */
  readonly tx?: Tx;
}

/** One event for which every handler was called without an exception. */
export interface HandledEvent {
  /** The event that the handler got. */
  readonly event: RunEvent;
  /** What the handler got beside it. */
  readonly context: HandlingContext;
}

/** What test receivers of every sender have. */
export interface StartedTest {
  /** The clock of the receiver, which tests move by hand. */
  readonly clock: VirtualClock;
  /** Everything that `onError` got. */
  readonly problems: readonly Problem[];
  /**
   * Moves the clock, and resolves when what became due is handled. A handler that was running
   * before may go on: with `handlerTimeoutMilliseconds` it is at its deadline, and its event has
   * failed.
   */
  advance(milliseconds: number): Promise<void>;
  /** Returns the newest 1000 dead letters, the oldest of them first. */
  deadLetters(): Promise<readonly DeadLetter[]>;
  /** Closes the receiver. A handler that still runs is aborted. */
  close(): Promise<void>;
}

/** A receiver in this process, with a memory store and a clock of its own. */
export interface TestReceiver<Tx = unknown> extends StartedTest {
  /** The receiver itself, for instance to put it behind your web framework. It is started. */
  readonly receiver: Receiver<Tx>;
  /** The secret of the receiver. */
  readonly secret: string;
  /** The handled events of runs, in the order of their handling. */
  readonly handled: readonly HandledEvent[];
  /** The runs that were settled. */
  readonly settled: readonly SettledRun[];
  /**
   * Signs and sends events, and resolves when all of them are handled or are dead letters. Graces
   * and waits before retries pass at once, because only the virtual clock has to wait.
   */
  deliver(events: readonly RunEvent[], options?: SendOptions): Promise<readonly SentDelivery[]>;
}

/** The events that a signer signs. */
export type SignedEvent<Each> = Each extends Signer<infer Event> ? Event : never;

/** The signers of a receiver with several sources, by the names of the sources. */
export type Signers<Named extends Sources> = {
  readonly [Name in keyof Named]?: Signer<never>;
};

/** The options of a receiver with `sources`, without those that the test receiver sets. */
export interface TestSourcesOptions<
  Named extends Sources,
  Signing extends Signers<Named>,
  Tx = unknown,
>
  extends Omit<SourcesOptions<Named, Tx>, 'store' | 'clock'>, Pick<TestReceiverOptions<Tx>, 'tx'> {
  /**
   * How the deliveries of each source are signed, such as `stripeSigner({ secret })` with the
   * secret of the source.
   */
  readonly signers: Signing;
}

/** A receiver with several sources, with a memory store and a clock of its own. */
export interface TestSources<
  Named extends Sources,
  Signing extends Signers<Named>,
  Tx = unknown,
> extends StartedTest {
  /** The receiver itself. It is started. */
  readonly receiver: SourcesReceiver<Named, Tx>;
  /** Signs events as the sender of a source does and sends them; resolves as in `TestReceiver`. */
  deliver<Name extends keyof Signing & keyof Named & string>(
    source: Name,
    events: readonly SignedEvent<Signing[Name]>[],
    options?: SendOptions,
  ): Promise<readonly SentDelivery[]>;
}

const SECRET = 'whsec_dGVzdC1yZWNlaXZlcg';

/** Nothing waits longer: neither a grace nor all retries of an event. */
const MAX_WAIT_MILLISECONDS = 7 * 86_400_000;

/** No other process shares the store, so the clock can go from one due time to the next. */
const POLLING = { pollMilliseconds: MAX_WAIT_MILLISECONDS };

/**
 * Starts a receiver for tests of your handlers. It takes real signed deliveries and handles them as
 * in production, but no test has to wait: its clock stands still and is advanced by `deliver()`.
 * Therefore a handler that never returns lets `deliver()` wait: do not await it, and call
 * `advance()` to reach the deadline. Fake timers of Vitest, Jest and Sinon may be on: they do not
 * move this clock. With `sources`, `signers` sign as the senders do.
 *
 * @throws {TypeError} When an option is invalid or unknown; the message names the option.
 * @example
 * ```ts
 * import assert from 'node:assert/strict';
 * import { test } from 'node:test';
 * import { github } from '@hookproof/receiver/github';
 * import { githubSigner, runTimeline, testReceiver } from '@hookproof/receiver/testing';
 *
 * test('bills a run that completed', async () => {
 *   const billed: string[] = [];
 *   const app = await testReceiver({
 *     mode: 'ordered',
 *     handlers: { completed: ({ data }) => void billed.push(data.run.id) },
 *   });
 *   await app.deliver(runTimeline(['pending', 'running', 'completed']), { copies: 2, shuffleSeed: 1 });
 *   assert.deepEqual(billed, ['exec_1']);
 *   await app.close();
 * });
 *
 * test('welcomes a pull request once', async () => {
 *   const welcomed: (string | null)[] = [];
 *   const app = await testReceiver({
 *     sources: { code: github({ secrets: 'a secret' }) },
 *     signers: { code: githubSigner({ secret: 'a secret' }) },
 *     handlers: { code: { 'pull_request.opened': ({ key }) => void welcomed.push(key) } },
 *   });
 *   const payload = {
 *     action: 'opened',
 *     pull_request: { number: 12 },
 *     repository: { full_name: 'octo/cat' },
 *   };
 *   await app.deliver('code', [{ id: '1', event: 'pull_request', payload }], { copies: 2 });
 *   assert.deepEqual(welcomed, ['octo/cat#12']);
 *   await app.close();
 * });
 * ```
 */
export function testReceiver<Tx = unknown>(
  options?: TestReceiverOptions<Tx>,
): Promise<TestReceiver<Tx>>;
export function testReceiver<
  Named extends Sources,
  const Signing extends Signers<Named>,
  Tx = unknown,
>(options: TestSourcesOptions<Named, Signing, Tx>): Promise<TestSources<Named, Signing, Tx>>;
export function testReceiver<Tx>(
  options: TestReceiverOptions<Tx> | TestSourcesOptions<Sources, Signers<Sources>, Tx> = {},
): Promise<TestReceiver<Tx> | TestSources<Sources, Signers<Sources>, Tx>> {
  return 'sources' in options ? testOfSources(options) : testOfPlatform(options);
}

async function testOfPlatform<Tx>({
  tx,
  ...options
}: TestReceiverOptions<Tx>): Promise<TestReceiver<Tx>> {
  const handled: HandledEvent[] = [];
  const settled: SettledRun[] = [];
  const kit = testKit(options, tx);
  const receiver = createReceiver<Tx>({ ...POLLING, ...options, ...kit.options, secrets: SECRET });
  // Called after the handlers of the options, and only when none of them threw.
  receiver.on('event', (event, context) => void handled.push({ event, context }));
  receiver.on('settled', (run) => void settled.push(run));
  const { settle, ...started } = await kit.start(receiver);
  const sender = testSender({ receiver, secret: SECRET, clock: started.clock });
  return {
    receiver,
    secret: SECRET,
    handled,
    settled,
    ...started,
    async deliver(events, how) {
      const sent = await sender.send(events, how);
      await settle();
      return sent;
    },
  };
}

async function testOfSources<Tx>({
  tx,
  signers,
  ...options
}: TestSourcesOptions<Sources, Signers<Sources>, Tx>): Promise<
  TestSources<Sources, Signers<Sources>, Tx>
> {
  optionsObject(signers, ['stripe'], 'signers');
  const kit = testKit(options, tx);
  const receiver = createReceiver<Sources, Tx>({ ...POLLING, ...options, ...kit.options });
  const { settle, ...started } = await kit.start(receiver);
  return {
    receiver,
    ...started,
    async deliver(name, events, how) {
      knownName('source', name, Object.keys(signers));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the events of `deliver` are those of this signer
      const signer = signers[name] as Signer<unknown>;
      const end = receiver.source(name);
      const sent = await testSender({ receiver: end, signer, clock: started.clock }).send(
        events,
        how,
      );
      await settle();
      return sent;
    },
  };
}

/** What a receiver of any form has in common here. */
type Tested = Pick<Processing, 'start' | 'idle' | 'stats' | 'deadLetters' | 'close'>;

/** Prepares a receiver on a memory store and a clock of its own. */
function testKit<Tx>({ onError }: Pick<WorkingOptions<Tx>, 'onError'>, tx: Tx | undefined) {
  const clock = virtualClock();
  const problems: Problem[] = [];
  let isClosed = false;
  return {
    options: {
      store: withTransactions(memoryStore(), tx),
      clock,
      onError(problem: Problem) {
        problems.push(problem);
        onError?.(problem);
      },
    },
    async start(receiver: Tested): Promise<StartedTest & { readonly settle: () => Promise<void> }> {
      await receiver.start();
      return {
        clock,
        problems,
        settle: () => handleAll(receiver, clock, () => isClosed),
        async advance(milliseconds) {
          const wasBusy = await isBusy(receiver);
          await clock.advance(milliseconds);
          // Only the next advance ends a handler that did not end in the time before.
          if (!wasBusy || !(await isBusy(receiver))) await receiver.idle();
        },
        deadLetters: async () => (await receiver.deadLetters({ limit: 1000 })).items.toReversed(),
        async close() {
          isClosed = true;
          const closed = receiver.close();
          // What still runs is aborted, because only this clock ends the wait for it.
          if (await isPending(closed)) await clock.advance(MAX_WAIT_MILLISECONDS);
          await closed;
        },
      };
    },
  };
}

/** Advances the clock from timer to timer until no event is open. */
async function handleAll(
  receiver: Tested,
  clock: VirtualClock,
  isClosed: () => boolean,
): Promise<void> {
  const end = clock.monotonic() + MAX_WAIT_MILLISECONDS;
  await receiver.idle();
  for (;;) {
    if (isClosed()) return;
    const { open } = await receiver.stats();
    if (open === 0) return;
    const wait = clock.nextTimerIn();
    if (wait === null || clock.monotonic() + wait > end) {
      throw new Error(`Every event must be handled within 7 days of the clock, got ${open} open.`);
    }
    await clock.advance(wait);
    await receiver.idle();
  }
}

/** Turns of the event loop in which a delivery comes to its handler. */
const TURNS = 100;

/** Returns whether something is still being handled after what has begun had time to go on. */
async function isBusy(receiver: Tested): Promise<boolean> {
  await turns();
  return isPending(receiver.idle());
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
}

async function isPending(work: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([work, turns().then(() => pending)])) === pending;
}

/**
 * Gives every event the same transaction, which is none: what became of an event is written beside
 * it.
 */
function withTransactions<Tx>(store: Store<undefined>, tx: Tx | undefined): Store<Tx> {
  const transaction = (): StoreTransaction<Tx> => ({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without the option handlers get none
    tx: tx as Tx,
    isUsed: () => false,
    finish: (...results) => store.finish(...results),
    rollback: async () => {},
  });
  return { ...store, transaction };
}
