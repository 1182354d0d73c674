import type { Access, Side } from '../check-kit/check.ts';
import type { HttpExchange } from '../verdict/exchange.ts';
import type { Identity } from '../discover/discovery.ts';
import type { ExitCode, Outcome } from '../verdict/outcome.ts';
import type { Level, Verdict } from '../verdict/verdict.ts';
import type { Wire } from '../wire/gate.ts';

/** One check in a report. `clause`, `rule` and `level` are those of its requirement. */
export interface CheckReport {
  readonly id: string;
  readonly requirement: string;
  readonly side: Side;
  readonly level: Level;
  readonly verdict: Verdict;
  /** One sentence: what was expected and came, why it did not run, or the title when it passed. */
  readonly message: string;
  readonly title: string;
  readonly access: Access;
  readonly clause: string;
  readonly rule: string;
  readonly durationMilliseconds: number;
  /** Could not run: the exact flag or line to add. */
  readonly remedy?: string;
  /** Not applicable because the run was not unlocked. */
  readonly locked?: true;
  /** Present for fail, advice and info. */
  readonly violation?: ViolationReport;
}

/** Everything about a red that its reader needs to see it for themselves. */
export interface ViolationReport {
  readonly expected: string;
  readonly actual: string;
  readonly exchange: HttpExchange | null;
  /** The request as a shell line with the key as a variable; null when the suite did not send it. */
  readonly curl: string | null;
  /** Runs this check alone. */
  readonly command: string;
  /** How many attempts saw it. */
  readonly confirmed: number;
}

/** What was looked at. */
export interface TargetReport {
  readonly baseUrl: string | null;
  readonly appUrl: string | null;
  readonly controlUrl: string | null;
  readonly receiverUrl: string | null;
  readonly identity: Identity | null;
  /** Target's clock minus the suite's, to the second; null when unknown. */
  readonly clockOffsetMilliseconds: number | null;
}

/** An id or key that the run used, by name, with where it came from; keys without their values. */
export interface FactReport {
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

/** The result of a run; `report.schema.json` describes it as JSON. */
export interface Report {
  readonly suite: { readonly name: string; readonly version: string };
  readonly outcome: Outcome;
  readonly exitCode: ExitCode;
  /** One line that says it all. */
  readonly headline: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMilliseconds: number;
  readonly target: TargetReport;
  readonly sides: readonly Side[];
  /** The address that could not be reached, and what came instead; else null. */
  readonly unreachable: { readonly address: string; readonly message: string } | null;
  /** Errors of the suite that belong to no check. */
  readonly suiteErrors: readonly string[];
  readonly counts: Readonly<Record<Verdict, number>>;
  /** Checks that stayed locked for want of a flag; they count as not applicable. */
  readonly locked: number;
  readonly wire: Readonly<Wire>;
  readonly facts: readonly FactReport[];
  readonly checks: readonly CheckReport[];
}
