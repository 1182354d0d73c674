import type { Side } from '../../options/options.ts';
import type { CheckReport } from '../model.ts';
import { tally } from '../order.ts';
import { counted, VERDICT_WORDS } from '../wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

export const SIDE_TITLES: Readonly<Record<Side, string>> = {
  api: 'API',
  sender: 'Webhook sender',
  receiver: 'Webhook receiver',
};

/** One side: a bar of its verdicts, and their counts. */
export function sideCard(side: Side, checks: readonly CheckReport[]): Markup {
  const counts = tally(checks);
  let x = 0;
  const parts = counts.map(({ verdict, count }) => {
    const width = (count / checks.length) * 100;
    x += width;
    return html`<rect
      class="${verdict}"
      fill="currentColor"
      x="${x - width}"
      width="${width}"
      height="8"
    />`;
  });
  return html`<div class="side">
    <h2>${SIDE_TITLES[side]}<span>${counted(checks.length, 'check', 'checks')}</span></h2>
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      ${parts}
    </svg>
    <ul class="legend">
      ${counts.map(
        ({ verdict, count }) =>
          html`<li class="${verdict}">
            <b>${count}</b>
            ${VERDICT_WORDS[verdict]}${verdict === 'not-applicable' ? lockNote(checks) : null}
          </li>`,
      )}
    </ul>
  </div> `;
}

function lockNote(checks: readonly CheckReport[]): string | null {
  const locked = checks.filter((check) => check.locked === true).length;
  return locked === 0 ? null : `, ${locked} of them locked`;
}

/** A box for a problem of the whole run; null without lines. */
export function callout(title: string, lines: readonly string[]): Markup | null {
  if (lines.length === 0) return null;
  return html`<div class="callout bad">
    <h2>${title}</h2>
    <ul>
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>
  </div> `;
}

/** Links to the failures of all sides, so that every failure is listed before any pass. */
export function failures(checks: readonly CheckReport[]): Markup | null {
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  if (failed.length === 0) return null;
  return html`<div class="callout bad">
    <h2>Violated</h2>
    <ul>
      ${failed.map(
        ({ id, title, message }) =>
          html`<li><a href="#${id}">${title}</a><span class="aside">${message}</span></li>`,
      )}
    </ul>
  </div> `;
}

/** The flags and lines that let more checks run, each once. */
export function remedies(checks: readonly CheckReport[]): Markup | null {
  const wanted = [...new Set(checks.map(({ remedy }) => remedy))].filter(
    (remedy) => remedy !== undefined,
  );
  if (wanted.length === 0) return null;
  return html`<div class="callout">
    <h2>To run more checks, add</h2>
    <ul>
      ${wanted.map((remedy) => {
        const count = checks.filter((check) => check.remedy === remedy).length;
        return html`<li><code>${remedy}</code> (${counted(count, 'check', 'checks')})</li>`;
      })}
    </ul>
  </div> `;
}
