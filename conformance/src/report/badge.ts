import type { Outcome } from '../verdict/verdict.ts';
import type { Report } from './model.ts';
import { counted } from './wording.ts';
import { element } from './xml.ts';
import type { Xml } from './xml.ts';

export const BADGE_COLORS: Readonly<Record<Outcome, string>> = {
  conformant: '#2e7d32',
  violated: '#c62828',
  'outdated-baseline': '#c62828',
  incomplete: '#9a5b00',
  'nothing-established': '#5f6771',
  interrupted: '#5f6771',
};

const LABEL = 'hookproof';
/** The width of a character of 11 px Verdana is 6 to 7 px; text is stretched to fit. */
const CHARACTER_WIDTH = 6.6;
const PADDING = 10;
const HEIGHT = 20;

/**
 * Returns the outcome as a badge: one SVG image without external resources.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { renderBadge, runConformance } from '@hookproof/conformance';
 *
 * export async function writeBadge(baseUrl: string): Promise<void> {
 *   await writeFile('hookproof.svg', renderBadge(await runConformance({ baseUrl })));
 * }
 * ```
 */
export function renderBadge(report: Report): string {
  return badgeSvg(textOf(report), BADGE_COLORS[report.outcome]);
}

/** The badge with any text and color. */
export function badgeSvg(text: string, color: string): string {
  const [left, right] = [widthOf(LABEL), widthOf(text)];
  const size = { width: left + right, height: HEIGHT };
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    ...size,
    role: 'img',
    'aria-label': `${LABEL}: ${text}`,
  };
  const svg = element('svg', attributes, [
    element('title', {}, `${LABEL}: ${text}`),
    element('rect', { ...size, rx: 3, fill: '#444' }),
    element('rect', { x: left, width: right, height: HEIGHT, rx: 3, fill: color }),
    // Covers the round corners between the two halves.
    element('rect', { x: left, width: 4, height: HEIGHT, fill: color }),
    label(LABEL, 0),
    label(text, left),
  ]);
  return `${svg.text}\n`;
}

/**
 * Returns the outcome as JSON for the endpoint badge of shields.io.
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
  return shieldsJson(textOf(report), BADGE_COLORS[report.outcome], report.outcome !== 'conformant');
}

/** The endpoint with any text and color. */
export function shieldsJson(message: string, color: string, isError: boolean): string {
  const badge = { schemaVersion: 1, label: LABEL, message, color, isError };
  return `${JSON.stringify(badge, null, 2)}\n`;
}

/** The outcome in a few words, without anything that a target said. */
function textOf({ outcome, counts, unreachable }: Report): string {
  if (unreachable !== null) return 'unreachable';
  if (outcome === 'violated') return counted(counts.fail, 'check failed', 'checks failed');
  if (outcome === 'conformant') return `conformant, ${counts.pass} passed`;
  return outcome.replaceAll('-', ' ');
}

function label(text: string, x: number): Xml {
  return element(
    'text',
    {
      x: x + PADDING / 2,
      y: 14,
      textLength: Math.round(text.length * CHARACTER_WIDTH),
      fill: '#fff',
      'font-family': 'Verdana, DejaVu Sans, sans-serif',
      'font-size': 11,
    },
    text,
  );
}

function widthOf(text: string): number {
  return Math.round(text.length * CHARACTER_WIDTH) + PADDING;
}
