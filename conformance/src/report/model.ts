import type { HttpExchange } from '../http/exchange.ts';
import type { Side } from '../options/options.ts';
import type { Identity } from '../preflight/preflight.ts';
import type { ExitCode, Level, Outcome, Verdict } from '../verdict/verdict.ts';
import type { Access } from '../wire/gate-rules.ts';
import type { Wire } from '../wire/gate.ts';

/**
 * Returns the report as JSON, as `report.schema.json` describes it, with a line break at its end.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { renderJson, runConformance } from '@hookproof/conformance';
 *
 * export async function writeReport(baseUrl: string): Promise<void> {
 *   await writeFile('report.json', renderJson(await runConformance({ baseUrl })));
 * }
 * ```
 */
export function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** The result of a run; `report.schema.json` describes it as JSON. */
export interface Report {
  readonly suite: { readonly name: string; readonly version: string };
  readonly outcome: Outcome;
  readonly exitCode: ExitCode;
  /** The whole run in one line. */
  readonly headline: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMilliseconds: number;
  readonly target: TargetReport;
  readonly sides: readonly Side[];
  /** The URL that could not be reached, and why; else null. */
  readonly unreachable: { readonly url: string; readonly message: string } | null;
  /** Errors of the suite that belong to no check. */
  readonly suiteErrors: readonly string[];
  readonly counts: Readonly<Record<Verdict, number>>;
  /** Checks that need a flag to be unlocked; they count as not applicable. */
  readonly locked: number;
  readonly wire: Readonly<Wire>;
  readonly facts: readonly FactReport[];
  readonly checks: readonly CheckReport[];
}

/** The target of a run. */
export interface TargetReport {
  readonly baseUrl: string | null;
  readonly appUrl: string | null;
  readonly controlUrl: string | null;
  readonly receiverUrl: string | null;
  readonly identity: Identity | null;
  /** The target's clock minus the suite's, to the second; null when unknown. */
  readonly clockOffsetMilliseconds: number | null;
}

/** An id or key of the run, by name, with its source; keys without their values. */
export interface FactReport {
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

/** One check in a report. `clause`, `rule` and `level` are those of its requirement. */
export interface CheckReport {
  readonly id: string;
  readonly requirement: string;
  readonly side: Side;
  readonly level: Level;
  readonly verdict: Verdict;
  /** One sentence: expected and actual, why it did not run, or the title of a pass. */
  readonly message: string;
  readonly title: string;
  readonly access: Access;
  readonly clause: string;
  readonly rule: string;
  readonly durationMilliseconds: number;
  /** Could not run: the flag or line to add. */
  readonly remedy?: string;
  /** Not applicable because a flag is missing. */
  readonly locked?: true;
  /** Present for fail, advice and info. */
  readonly violation?: ViolationReport;
}

/** What a reader needs to reproduce a failure. */
export interface ViolationReport {
  readonly expected: string;
  readonly actual: string;
  readonly exchange: HttpExchange | null;
  /** The request as a curl command, with the key as a variable; null when the suite did not send it. */
  readonly curl: string | null;
  /** Runs this check alone. */
  readonly command: string;
  /** How many attempts failed. */
  readonly confirmed: number;
}
