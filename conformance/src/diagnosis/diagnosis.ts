import type { HttpExchange } from '../http/exchange.ts';
import type { Side } from '../options/options.ts';

/** Why a target most likely breaks a requirement, and what to change. One or two sentences each. */
export interface Diagnosis {
  readonly cause: string;
  readonly fix: string;
}

/** A violation as far as its diagnosis depends on it. */
export interface Symptom {
  readonly side: Side;
  /** Id of the primary requirement. */
  readonly requirement: string;
  readonly expected: string;
  readonly actual: string;
  readonly exchange: HttpExchange | null;
}

/** Likely cause and fix by the id of a requirement, or by the beginning of ids up to a dot. The longest id wins. */
export type CauseTable = Readonly<
  Record<string, readonly [cause: string, fix: string] | undefined>
>;
