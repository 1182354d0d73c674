import { counted, harmless } from '@hookproof/conformance/hooks';

import type { Proof } from './prove.ts';
import type { UnprovenPass } from './trials.ts';

/** How a proof is printed. */
export interface ProofTextOptions {
  /** Whether the defect that turned each pass red is shown. Default false: their number is. */
  readonly verbose?: boolean;
}

/**
 * Returns a proof as text for a terminal: the weak passes first, then how many could have failed.
 *
 * @example
 * ```ts
 * import { prove, renderProof } from '@hookproof/conformance/proof';
 *
 * console.log(renderProof(await prove({ baseUrl: 'http://127.0.0.1:4010', key: 'an-api-key' })));
 * ```
 */
export function renderProof(
  { report, proven, unproven, undecided, ...rest }: Proof,
  { verbose = false }: ProofTextOptions = {},
): string {
  const { isInterrupted, leftBehind, requests } = rest;
  const total = proven.length + unproven.length + undecided.length;
  const seconds = (rest.durationMilliseconds / 1000).toFixed(1);
  const lines = [report.headline, ''];
  if (unproven.length > 0) {
    lines.push(`${unproven.length} of ${total} passes could not have failed here:`);
    lines.push(...unproven.map(sentence), '');
  }
  lines.push(
    `${proven.length} of ${total} passes could have failed: a defect between suite and target turned each red.`,
  );
  if (verbose) {
    const passes = proven.map(
      ({ check, does }) => `  ${check}\n    fails if the target has this defect: ${does}`,
    );
    lines.push(...passes);
  } else if (proven.length > 0) {
    lines.push('--verbose shows the defect of each, --json too.');
  }
  if (isInterrupted) {
    const passes = counted(undecided.length, 'pass is', 'passes are');
    lines.push('', `The proof was interrupted: ${passes} undecided.`);
  }
  if (leftBehind.length > 0) {
    const texts = leftBehind.map((text) => `  ${harmless(text)}`);
    lines.push('', 'Changed by the runs and not put back:', ...texts);
  }
  return `${[...lines, '', `${requests} requests in ${seconds} s.`].join('\n')}\n`;
}

function sentence({ check, tried }: UnprovenPass): string {
  if (tried.length === 0) return `  ${check}\n    No known defect applies to it.`;
  const verdicts = tried.map(({ defect, verdict }) => `${defect} (${verdict})`);
  return `  ${check}\n    These defects did not turn it red: ${verdicts.join(', ')}.`;
}
