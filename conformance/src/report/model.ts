import type { DeliveryAttempt, HttpExchange } from '../http/exchange.ts';
import type { Side } from '../options/options.ts';
import type { Remedy } from '../verdict/remedy.ts';
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

/**
 * Members whose text is the suite's own, so that nothing in them is a secret: a key with ordinary words in it does not
 * change them.
 */
export const OWN_MEMBERS: ReadonlySet<string> = new Set([
  'suite',
  'outcome',
  'startedAt',
  'sides',
  'id',
  'name',
  'source',
  'requirement',
  'need',
  'requirements',
  'side',
  'level',
  'verdict',
  'title',
  'access',
  'clause',
  'rule',
]);

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
  readonly wire: Readonly<Wire>;
  /** What a baseline changed, and its outdated lines; null without a baseline. */
  readonly baseline: BaselineReport | null;
  /** What the run changed and could not put back, a sentence each. Empty as a rule. */
  readonly leftBehind: readonly string[];
  /** The number of changes that are not undone, and which the journal of the run keeps. */
  readonly notPutBack: number;
  readonly facts: readonly FactReport[];
  /** The primary requirements of the checks, in the order of the catalogue. Each check is in exactly one. */
  readonly requirements: readonly RequirementReport[];
  readonly checks: readonly CheckReport[];
}

/** One requirement with the checks that count for it. */
export interface RequirementReport {
  readonly id: string;
  readonly side: Side;
  readonly level: Level;
  readonly clause: string;
  readonly rule: string;
  /** The heaviest verdict of its checks. */
  readonly verdict: Verdict;
  /** Ids of the checks whose primary requirement this is. */
  readonly checks: readonly string[];
}

/** The effect of a baseline on a report. */
export interface BaselineReport {
  /** The number of failures that it accepts. */
  readonly known: number;
  /** Its lines that must change. */
  readonly problems: readonly BaselineProblem[];
}

/** A line of a baseline that must change: its day has passed, or its check passes now. */
export interface BaselineProblem {
  readonly check: string;
  readonly kind: 'expired' | 'stale';
  readonly message: string;
}

/** The target of a run. */
export interface TargetReport {
  readonly baseUrl: string | null;
  readonly appUrl: string | null;
  readonly controlUrl: string | null;
  readonly receiverUrl: string | null;
  /** What causes the deliveries of the sender, such as `--step-command`; null when the sender is not checked. */
  readonly senderDriver: string | null;
  readonly identity: Identity | null;
  /** The target's clock minus the suite's, to the second; null when unknown. */
  readonly clockOffsetMilliseconds: number | null;
  /** The longest time after a write until a read showed it; null when nothing was measured. */
  readonly effectMilliseconds: number | null;
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
  /** The primary requirement: its keyword decides what a violation weighs. */
  readonly requirement: string;
  /** Every requirement that the check tests, the primary one first. */
  readonly requirements: readonly string[];
  readonly side: Side;
  readonly level: Level;
  readonly verdict: Verdict;
  /** One sentence: expected and actual, why it did not run, or the title of a pass. */
  readonly message: string;
  readonly title: string;
  readonly access: Access;
  readonly clause: string;
  readonly rule: string;
  /** How long it ran. Checks run at once, so that these times add up to more than that of the run. */
  readonly durationMilliseconds: number;
  /** Could not run: every flag and line to add. Inconclusive: what may let another run establish more. */
  readonly remedies?: readonly Remedy[];
  /** Present for known: the line of the baseline. */
  readonly known?: { readonly reason: string; readonly owner: string; readonly expires: string };
  /** Present for fail, known, advice and info. */
  readonly violation?: ViolationReport;
}

/** What a reader needs to understand, reproduce and fix a failure. */
export interface ViolationReport {
  readonly expected: string;
  readonly actual: string;
  /** What shows the failure: a request and its response, or the last step before something that never came. */
  readonly exchange: HttpExchange | null;
  /** A similar exchange of the same attempt that passed, for comparison; null without one. */
  readonly control: HttpExchange | null;
  /** Every attempt of the delivery in `exchange`, when a sender sent it; else empty. */
  readonly attempts: readonly DeliveryAttempt[];
  /** The likely cause, and what to do; each null where nothing is known beyond the rule. */
  readonly diagnosis: { readonly cause: string | null; readonly fix: string | null };
  readonly reproduce: Reproduction;
  /** Runs this check alone: a line for a shell, or one of a program that calls `runConformance`. */
  readonly command: string;
  /** How many attempts failed. */
  readonly confirmed: number;
}

/** How to see a failure by hand. At least one of the two is there. */
export interface Reproduction {
  /**
   * Lines for a shell: first those that set variables, last the request. A key or secret is a variable. Empty when the
   * request cannot be written as a command.
   */
  readonly commands: readonly string[];
  /** What to do in words, or what to know before the commands; else null. */
  readonly note: string | null;
}
