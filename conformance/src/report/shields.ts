import type { Outcome } from '../verdict/verdict.ts';
import type { Report } from './model.ts';
import { counted } from './wording.ts';

const COLORS: Readonly<Record<Outcome, string>> = {
  conformant: '#2e7d32',
  violated: '#c62828',
  'outdated-baseline': '#c62828',
  incomplete: '#9a5b00',
  'no-result': '#5f6771',
  interrupted: '#5f6771',
};

/**
 * Returns the outcome as JSON for the endpoint badge of shields.io, with the host of the target.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { renderShields, runConformance } from '@hookproof/conformance';
 *
 * export async function writeEndpoint(baseUrl: string): Promise<void> {
 *   await writeFile('hookproof-badge.json', renderShields(await runConformance({ baseUrl })));
 * }
 * ```
 */
export function renderShields(report: Report): string {
  const badge = {
    schemaVersion: 1,
    label: labelOf(report),
    message: textOf(report),
    color: COLORS[report.outcome],
    isError: report.outcome !== 'conformant',
  };
  return `${JSON.stringify(badge, null, 2)}\n`;
}

/** The host of the API, else that of the receiver: a page may have a badge for each deployment. */
function labelOf({ target: { baseUrl, receiverUrl } }: Report): string {
  const url = baseUrl ?? receiverUrl;
  return url === null ? 'hookproof' : `hookproof ${new URL(url).host}`;
}

/** The outcome in a few words, without anything that a target said. */
function textOf({ outcome, counts, unreachable }: Report): string {
  if (unreachable !== null) return 'unreachable';
  if (outcome === 'violated') return counted(counts.fail, 'check failed', 'checks failed');
  if (outcome === 'conformant') return `conformant, ${counts.pass} passed`;
  return outcome.replaceAll('-', ' ');
}
