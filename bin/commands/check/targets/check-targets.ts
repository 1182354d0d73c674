import { summarizeTargets } from '@hookproof/conformance';
import type { TargetResult, TargetsReport } from '@hookproof/conformance';

import type { Screen } from '../../../command-line/screen.ts';
import { openBaseline } from '../baseline.ts';
import type { CheckOptions } from '../options/all.ts';
import { runTarget } from './run-target.ts';
import type { NamedTarget } from './targets-file.ts';

const DEFAULT_WORKERS = 4;
const DEFAULT_TIMEOUT_SECONDS = 1_800;
/** A run of all checks needs about a quarter of it. */
const MEMORY_MEGABYTES = 256;

/**
 * Judges many targets, a bounded number at the same time. The results are in the order of the targets. The signal ends
 * the runs in progress, which put back what they changed; no further one starts.
 */
export async function checkTargets(
  targets: readonly NamedTarget[],
  { workers = DEFAULT_WORKERS, targetTimeout = DEFAULT_TIMEOUT_SECONDS, journal }: CheckOptions,
  { screen, signal }: { readonly screen: Screen; readonly signal: AbortSignal },
): Promise<TargetsReport> {
  // A baseline that cannot be used is found before the first request.
  const accept = new Map(targets.map(({ name, options }) => [name, openBaseline(options, screen)]));
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const results = new Map<string, TargetResult>();
  const limits = { timeoutSeconds: targetTimeout, memoryMegabytes: MEMORY_MEGABYTES, signal };
  const queue = targets.values();
  const work = async (): Promise<void> => {
    // Every worker takes the next target of the same queue.
    for (const target of queue) {
      const result = await runTarget(withJournal(target, journal), limits, (done, total) =>
        screen.progress(
          `${results.size}/${targets.length} targets  ${target.name}: ${done}/${total}`,
        ),
      );
      results.set(target.name, accepted(result, accept.get(target.name)));
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, targets.length) }, work));
  screen.progress('');
  return summarizeTargets({
    targets: targets.flatMap(({ name }) => results.get(name) ?? []),
    startedAt,
    durationMilliseconds: Math.round(performance.now() - started),
  });
}

/** The folder of the command line is that of every target without one of its own. */
export function withJournal(
  { name, options }: NamedTarget,
  journal: CheckOptions['journal'],
): NamedTarget {
  return journal === undefined ? { name, options } : { name, options: { journal, ...options } };
}

function accepted(
  result: TargetResult,
  accept: ReturnType<typeof openBaseline> | undefined,
): TargetResult {
  if (result.report === null || accept === undefined) return result;
  const report = accept(result.report);
  return { ...result, report, message: report.headline, exitCode: report.exitCode };
}
