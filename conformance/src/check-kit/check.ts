import type { ApiClient } from '../clients/api-client.ts';
import type { ControlClient } from '../clients/control-client.ts';
import type { FixtureName, KeyName } from '../options/facts.ts';
import type { ReceiverClient } from '../clients/receiver-client.ts';

export const SIDES = ['api', 'sender', 'receiver'] as const;
export type Side = (typeof SIDES)[number];

/** What a check does to its target. Receiver deliveries are `read`: they are harmless by contract. */
export type Access = 'read' | 'write' | 'delete';

/**
 * A fact that a check cannot do without. When it is missing, the check does not run and the report says which flag
 * or line would supply it. `app` is the app address; `control.virtual-clock` a control interface whose clock can be advanced.
 */
export type Need =
  | `key.${KeyName}`
  | `fixture.${FixtureName}`
  | 'app'
  | 'control'
  | 'control.virtual-clock'
  | 'receiver'
  | 'receiver.observer';

/** Ids of rows in `requirements.yaml`. */
export type Requirements = readonly [primary: string, ...others: string[]];

/** One question to a target, with the requirements behind it. */
export interface Check {
  /** `api.inbox.limit-above-100`; minted once, never reused. */
  readonly id: string;
  /** Every requirement that the check tests. The keyword of the first decides what a violation weighs. */
  readonly requirements: Requirements;
  readonly side: Side;
  /** One line, what is expected: "refuses limit=101 with 400". */
  readonly title: string;
  readonly access: Access;
  readonly needs: readonly Need[];
  /**
   * When the check runs alone, after the others: `without-worlds`, where no control interface makes it a world of its
   * own, since it changes what others read; `on-virtual-clock`, since it moves the clock that all share; `always`, since
   * it disturbs everyone. Default never.
   */
  readonly exclusive?: 'without-worlds' | 'on-virtual-clock' | 'always';
  /** One attempt may take so long before it counts as inconclusive. Default 60000. */
  readonly timeoutMilliseconds?: number;
  /** Resolves: pass. Throws `Violation`, `CouldNotRun`, `Inconclusive` or `NotApplicable`; anything else is an error of the suite. */
  run(context: CheckContext): Promise<void>;
}

/** What one attempt of one check may use. */
export interface CheckContext {
  readonly api: ApiClient;
  /** Throws `CouldNotRun` on use when there is none: declare the need `control`. */
  readonly control: ControlClient;
  /** Throws `CouldNotRun` on use when there is none: declare the need `receiver`. */
  readonly receiver: ReceiverClient;
  /** A learned id. Throws `CouldNotRun` when it is not known: declare the need `fixture.<name>`. */
  fixture(name: FixtureName): string;
  /** 1, or 2 when a red is being confirmed (on fresh connections). */
  readonly attempt: number;
  /** Aborts when this attempt's time is over. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The sender must retry within this time when its clock is real; default 30000. */
  readonly retryWindowMilliseconds: number;
  /** Replaces every known secret, raw or encoded; for text and exchanges that a check builds itself. */
  readonly redact: (text: string) => string;
}
