import { grouped } from '../../grouped.ts';
import type { Side } from '../../options/options.ts';
import type { CheckReport } from '../model.ts';
import { tally } from '../order.ts';
import { remediesOf } from '../remedies.ts';
import type { Lack } from '../remedies.ts';
import { VERDICT_WORDS, actualText, counted } from '../wording.ts';
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

/** A card for each fix of failures, or for each rule where nothing more is known, with links to them, so that every failure is listed before any pass. */
export function failures(checks: readonly CheckReport[]): Markup | null {
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  if (failed.length === 0) return null;
  const groups = grouped(failed, ({ side, requirement, violation }) => {
    const { cause, fix } = violation?.diagnosis ?? {};
    return JSON.stringify([side, cause, fix ?? requirement]);
  });
  const causes = [...groups.values()];
  const title = [
    counted(failed.length, 'check failed', 'checks failed'),
    counted(causes.length, 'thing to fix', 'things to fix'),
  ].join(', ');
  return html`<section class="causes">
    <h2>${title}</h2>
    ${causes.map(causeCard)}
  </section> `;
}

/** More failures of one cause are folded: the first ones show what they have in common. */
const MAX_FAILURES_SHOWN = 5;

/** The failures that one fix makes pass. */
function causeCard(checks: readonly CheckReport[]): Markup {
  const [first] = checks;
  const { cause = null, fix = null } = first?.violation?.diagnosis ?? {};
  const more = checks.slice(MAX_FAILURES_SHOWN);
  return html`<div class="callout bad">
    ${cause === null ? null : html`<p>${cause}</p>`}
    <p><b>${fix === null ? 'Rule' : 'Fix'}:</b> ${fix ?? first?.rule ?? ''}</p>
    ${failureList(checks.slice(0, MAX_FAILURES_SHOWN))}${
      more.length === 0
        ? null
        : html`<details>
            <summary>${counted(more.length, 'more check', 'more checks')}</summary>
            ${failureList(more)}
          </details>`
    }
  </div> `;
}

function failureList(checks: readonly CheckReport[]): Markup {
  return html`<ul>
    ${checks.map(
      (check) =>
        html`<li>
          <a href="#${check.id}">${check.title}</a
          ><span class="aside"
            >expected ${check.violation?.expected ?? ''}, got ${actualText(check)}</span
          >
        </li>`,
    )}
  </ul>`;
}

/** The verdicts of checks that did not run: one list has them all, by what is missing. */
export function didNotRun({ verdict }: CheckReport): boolean {
  return verdict === 'could-not-run' || verdict === 'locked';
}

/** What lets more checks run, with the checks. */
export function missing(checks: readonly CheckReport[]): Markup | null {
  const open = checks.filter(didNotRun);
  if (open.length === 0) return null;
  return html`<div class="callout">
    <h2>${counted(open.length, 'check', 'checks')} did not run</h2>
    <ul class="groups">
      ${[...remediesOf(open), ...locks(open)].map(missingGroup)}
    </ul>
  </div> `;
}

/** The flags that unlock checks. */
function locks(checks: readonly CheckReport[]): readonly Lack[] {
  const locked = checks.filter(({ verdict }) => verdict === 'locked');
  return [...grouped(locked, ({ message }) => message)].map(([message, own]) => ({
    add: message.replace(/^locked: /, ''),
    checks: own,
    details: [],
  }));
}

function missingGroup({ add, checks, details }: Lack): Markup {
  return html`<li>
    ${add.startsWith('add -') ? html`<code>${add}</code>` : add}${details.map((text) => html`<span class="aside">${text}</span>`)}
    <details>
      <summary>${counted(checks.length, 'check', 'checks')}</summary>
      <ul>
        ${checks.map(({ id, title }) => html`<li>${title}<span class="id">${id}</span></li>`)}
      </ul>
    </details>
  </li>`;
}
