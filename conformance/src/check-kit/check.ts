import type { ApiClient } from '../clients/api-client.ts';
import type { ControlClient, World } from '../clients/control-client.ts';
import type { ReceiverClient } from '../clients/receiver-client.ts';
import type { SenderDriver } from '../driver/sender-driver.ts';
import type { Reading, TakingBack } from '../undo/undo.ts';
import type { FixtureName, KeyName } from '../options/facts.ts';
import type { Side } from '../options/options.ts';
import type { Access } from '../wire/gate-rules.ts';
import type { ExchangeLog } from './exchange-log.ts';

/**
 * What a run must have before a check can run. When it is missing, the report names the flag or line that supplies it.
 * `app`: the app URL. `driver`: something that causes deliveries, such as a control interface. `control.virtual-clock`:
 * a control interface whose clock can be advanced. `world-or.<fixture>`: a control interface, whose worlds the check may
 * change as it likes, or the fixture that says what it may change without one.
 */
export type Need =
  | `key.${KeyName}`
  | `fixture.${FixtureName}`
  | `world-or.${FixtureName}`
  | 'app'
  | 'driver'
  | 'control'
  | 'control.virtual-clock'
  | 'receiver'
  | 'receiver.observer';

/** Ids of rows in `requirements.yaml`. */
export type Requirements = readonly [primary: string, ...others: string[]];

/** One question to a target, with the requirements behind it. */
export interface Check {
  /** `api.inbox.limit`; assigned once, never reused. */
  readonly id: string;
  /** Every requirement that the check tests. The keyword of the first decides what a violation weighs. */
  readonly requirements: Requirements;
  readonly side: Side;
  /** The rule as a fact about the target: "refuses a request without a key with 401". */
  readonly title: string;
  readonly access: Access;
  readonly needs: readonly Need[];
  /**
   * When the check runs alone, after the others: `without-worlds`, if no control interface gives it its own world,
   * because it changes what others read; `on-virtual-clock`, because it moves the shared clock; `always`, because it
   * disturbs every other check; `at-the-end`, after all others, because it judges what they have seen. Default: never.
   */
  readonly exclusive?: 'without-worlds' | 'on-virtual-clock' | 'always' | 'at-the-end';
  /** The time limit of one attempt; beyond it, the check is inconclusive. Default 60000. */
  readonly timeoutMilliseconds?: number;
  /**
   * Resolves for a pass. Throws `Violation`, `CouldNotRun`, `Inconclusive` or `NotApplicable`; any other error is an
   * error of the suite.
   */
  run(context: CheckContext): Promise<void>;
}

/** What one attempt of a check may use. */
export interface CheckContext {
  readonly api: ApiClient;
  /** Throws `CouldNotRun` on use without a control interface: declare the need `control`. */
  readonly control: ControlClient;
  /** Throws `CouldNotRun` on use without anything that causes deliveries: declare the need `driver`. */
  readonly sender: SenderDriver;
  /** Throws `CouldNotRun` on use without a receiver: declare the need `receiver`. */
  readonly receiver: ReceiverClient;
  /** A known id. Throws `CouldNotRun` for an unknown one: declare the need `fixture.<name>`. */
  fixture(name: FixtureName): string;
  /**
   * The same check in a world: there, `main` and the other names of keys are those of the world, and fixtures are its own.
   */
  inWorld(world: World): CheckContext;
  /** Whether the check may leave its changes behind: no other check uses this world. */
  readonly disposable: boolean;
  /** The id of the check. */
  readonly id: string;
  /** The identity of the run, under which its checks can share what they made. */
  readonly run: object;
  /**
   * Tells how a resource that the check is about to change is at the moment. Does nothing in a world. The last
   * reading before the first write of the run is its original, which the run writes back when each attempt ends,
   * whatever ends it, and after a crash with `hookproof check --clean-up`.
   */
  restoreLater(reading: Reading): void;
  /**
   * Resolves when it is durable how a change that the check is about to make is taken back when the attempt ends, whatever
   * ends it. Equal ones of an attempt count once. Does nothing in a world.
   */
  takeBackLater(request: TakingBack): Promise<void>;
  /** How long the effects of writes take until a read shows them: the contract has no limit. */
  readonly effects: {
    /**
     * Reads what a write has just set until `judge` accepts it, for the longer of five seconds and three times the lag
     * that the run has measured. Then throws the violation that `judge` throws.
     */
    shown<Value>(read: () => Promise<Value>, judge: (value: Value) => void): Promise<Value>;
    /** Measures it once in the run, in a check that may write. A measurement that fails measures nothing. */
    measure(work: () => Promise<void>): Promise<void>;
  };
  /** Every exchange with the API so far, judged. */
  readonly exchanges: Pick<ExchangeLog, 'record' | 'passing'>;
  /** 1, or 2 when a failure is confirmed on new connections. */
  readonly attempt: number;
  /** Aborts when the time of this attempt is over. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Tells the user what the check waits for, unless a check has told something a moment ago. */
  readonly notice: (text: string) => void;
  /** A sender on a real clock must retry within this time. */
  readonly retryWindowMilliseconds: number;
  /** Replaces every known secret, raw or encoded. For texts and exchanges that a check builds itself. */
  readonly redact: (text: string) => string;
}
