import type { Side } from '../../options/options.ts';
import type { CheckReport } from '../model.ts';
import { byRequirement, tally } from '../order.ts';
import { counted, redsText, VERDICT_WORDS } from '../wording.ts';
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
            ${VERDICT_WORDS[verdict]}
          </li>`,
      )}
    </ul>
  </div> `;
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

/** Links to the failures of all sides by requirement, so that every failure is listed before any pass. */
export function failures(checks: readonly CheckReport[]): Markup | null {
  const groups = byRequirement(checks.filter(({ verdict }) => verdict === 'fail'));
  if (groups.length === 0) return null;
  return html`<div class="callout bad">
    <h2>Violated: ${redsText(groups)}</h2>
    <ul class="groups">
      ${groups.map(violatedRequirement)}
    </ul>
  </div> `;
}

function violatedRequirement(group: readonly CheckReport[]): Markup | null {
  const [first] = group;
  if (first === undefined) return null;
  const links = group.map(
    ({ id, title, message }) =>
      html`<li><a href="#${id}">${title}</a><span class="aside">${message}</span></li>`,
  );
  return html`<li>
    <span class="tag">${SIDE_TITLES[first.side]}</span> ${first.rule}
    <code>${first.requirement}</code>
    <ul>
      ${links}
    </ul>
  </li>`;
}

/** The flags and lines that let more checks run, each once. */
export function remedies(checks: readonly CheckReport[]): Markup | null {
  const all = checks.flatMap((check) => check.remedies ?? []);
  const wanted = [...new Set(all)];
  if (wanted.length === 0) return null;
  return html`<div class="callout">
    <h2>To run more checks, add</h2>
    <ul>
      ${wanted.map((remedy) => {
        const count = all.filter((each) => each === remedy).length;
        return html`<li><code>${remedy}</code> (${counted(count, 'check', 'checks')})</li>`;
      })}
    </ul>
  </div> `;
}
