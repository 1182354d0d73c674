import { runConformance } from '@hookproof/conformance';
import type { ConformanceOptions, JournalStore, Report } from '@hookproof/conformance';

import { defects } from './catalogue.ts';
import { runTransformed } from './run-transformed.ts';
import { Trials } from './trials.ts';
import type { ProvenPasses } from './trials.ts';

/** How much each pass of a run means: whether its check fails when the target gets a defect. */
export interface Proof extends ProvenPasses {
  /** The run on the target itself. */
  readonly report: Report;
  /** Whether `signal` ended the proof before its end. */
  readonly isInterrupted: boolean;
  /** What the runs changed and could not put back, a sentence each. */
  readonly leftBehind: readonly string[];
  /** Requests to the API and deliveries to the receiver, over all runs. */
  readonly requests: number;
  readonly durationMilliseconds: number;
}

/**
 * Options of {@link prove}: those of a run but `steps` and `fuzz`, which each defect would repeat, a journal for each of its runs, and a callback for its progress. `signal`
 * ends the proof: the run in progress puts back what it changed, and the proof resolves with what it found.
 */
export interface ProofOptions extends Omit<ConformanceOptions, 'journal' | 'steps' | 'fuzz'> {
  /** Returns the journal of the next run. Default: kept in memory. */
  readonly journal?: () => JournalStore;
  /** Called after the run on the target and after each defect. */
  readonly onDefect?: (progress: ProofProgress) => void;
}

/** How far a proof is. */
export interface ProofProgress {
  readonly proven: number;
  /** The number of passes. */
  readonly total: number;
  /** The defect that was tried last; null after the run on the target itself. */
  readonly defect: string | null;
}

/**
 * Judges a target, then puts known defects between suite and target, one at a time, and runs the checks that should
 * find them. The target keeps its behavior: only the exchanges that the suite sees change. Without a control interface,
 * the defects meet only checks that read.
 *
 * @throws {TypeError} for wrong options
 * @throws {RunInProgress} with code `run_in_progress` while another run of this process is in progress
 * @example
 * ```ts
 * import { prove } from '@hookproof/conformance/proof';
 *
 * const { proven, unproven } = await prove({ baseUrl: 'http://127.0.0.1:4010', key: 'an-api-key' });
 * console.log(`${proven.length} passes could have failed, ${unproven.length} could not.`);
 * ```
 */
export async function prove({ onDefect, journal, ...options }: ProofOptions): Promise<Proof> {
  const given: ConformanceOptions = options;
  for (const name of ['steps', 'fuzz'] as const) {
    if (given[name] !== undefined) {
      throw new TypeError(`${name} must not be set: each defect would repeat it. Leave it out.`);
    }
  }
  const started = performance.now();
  const settings = (): ConformanceOptions =>
    journal === undefined ? options : { ...options, journal: journal() };
  const report = await runConformance(settings());
  const trials = new Trials(report);
  const leftBehind = new Set(report.leftBehind);
  let requests = sent(report);
  const progress = (defect: string | null): void =>
    onDefect?.({ proven: trials.proven, total: trials.passes.length, defect });
  progress(null);
  let isInterrupted = report.outcome === 'interrupted';
  for (let trial = trials.next(); trial !== null && !isInterrupted; trial = trials.next()) {
    const { defect: id, checks } = trial;
    const { onProgress: _, ...quiet } = settings();
    const defect = defects.filter((one) => one.id === id);
    const judged = await runTransformed({ ...withoutRisk(quiet), only: checks }, defect);
    requests += sent(judged);
    for (const text of judged.leftBehind) leftBehind.add(text);
    isInterrupted = judged.outcome === 'interrupted';
    if (!isInterrupted) trials.note(id, judged);
    progress(id);
  }
  return {
    report,
    ...trials.results(),
    isInterrupted,
    leftBehind: [...leftBehind],
    requests,
    durationMilliseconds: Math.round(performance.now() - started),
  };
}

/**
 * A defect changes what the suite reads, so that it cannot know what to put back in the data of a deployment: without
 * a control interface, which gives each check a world, a proof only reads.
 */
function withoutRisk(options: ConformanceOptions): ConformanceOptions {
  if (options.control !== undefined || options.baseUrl === undefined) return options;
  return { ...options, allowWrites: false, allowDeletes: false };
}

function sent({ wire }: Report): number {
  return wire.requests + wire.deliveries;
}
