import { createHash } from 'node:crypto';

import type { CheckReport, Report } from '../model.ts';
import { VERDICTS } from '../../verdict/verdict.ts';
import { bySide, tally } from '../order.ts';
import type { SideGroup } from '../order.ts';
import { VERDICT_WORDS, targetText } from '../wording.ts';
import { SCRIPT, STYLE } from './assets.ts';
import { checkRow } from './check-row.ts';
import { header } from './header.ts';
import { Markup, html } from './markup.ts';
import { SIDE_TITLES, callout, didNotRun, failures, missing, sideCard } from './summary.ts';

/**
 * Returns the report as one HTML file that loads and sends nothing. Its content security policy allows only its own style and
 * script, by hash, so that text of a target stays text even if escaping failed.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { renderHtml, runConformance } from '@hookproof/conformance';
 *
 * export async function writeReport(baseUrl: string): Promise<void> {
 *   await writeFile('report.html', renderHtml(await runConformance({ baseUrl })));
 * }
 * ```
 */
export function renderHtml(report: Report): string {
  const policy = `default-src 'none'; style-src '${hash(STYLE)}'; script-src '${hash(SCRIPT)}'`;
  const { target, unreachable } = report;
  const ran = report.checks.filter((check) => !didNotRun(check));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${report.outcome.replace('-', ' ')}: conformance of ${targetText(target)}</title>
        ${new Markup(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <a class="skip" href="#checks">Skip to the checks</a>
        ${header(report)}
        <main>
          ${callout('Unreachable', unreachable === null ? [] : [unreachable.url, unreachable.message])}${callout(
            'Errors of the suite',
            report.suiteErrors,
          )}${callout('Changed by this run and not put back', report.leftBehind)}${callout(
            'Outdated lines of the baseline',
            (report.baseline?.problems ?? []).map(({ message }) => message),
          )}
          <div class="sides">
            ${bySide(report.checks).map(({ side, checks }) => sideCard(side, checks))}
          </div>
          ${failures(report.checks)}${missing(report.checks)}${filterForm(ran)}
          <div id="checks">
            ${bySide(ran)
              .toSorted(heaviestFirst)
              .map(
                ({ side, checks }) =>
                  html`<section class="checks">
                    <h2>${SIDE_TITLES[side]}</h2>
                    ${checks.filter((check) => !isQuiet(check)).map(checkRow)}${folded(
                      checks.filter(isQuiet),
                    )}
                  </section>`,
              )}
          </div>
          ${known(report)}
          <footer>
            ${report.suite.name} ${report.suite.version} · exit code ${report.exitCode}
          </footer>
        </main>
        ${new Markup(`<script>${SCRIPT}</script>`)}
      </body>
    </html> `;
  return page.text;
}

/** Whether a check asks nothing of the reader. */
function isQuiet({ verdict }: CheckReport): boolean {
  return verdict === 'pass' || verdict === 'not-applicable';
}

/** The rows of checks that ask nothing of the reader, behind their counts. */
function folded(checks: readonly CheckReport[]): Markup | null {
  if (checks.length === 0) return null;
  const counts = tally(checks).map(({ verdict, count }) => `${count} ${VERDICT_WORDS[verdict]}`);
  return html`<details class="quiet">
    <summary>${counts.join(', ')}</summary>
    ${checks.map(checkRow)}
  </details>`;
}

function heaviestFirst(one: SideGroup, other: SideGroup): number {
  return weightOf(one) - weightOf(other);
}

/** A group is sorted: its first check is its heaviest. */
function weightOf({ checks: [first] }: SideGroup): number {
  return first === undefined ? VERDICTS.length : VERDICTS.indexOf(first.verdict);
}

function filterForm(checks: readonly CheckReport[]): Markup | null {
  if (checks.length === 0) return null;
  return html`<form hidden aria-label="Filter the checks">
    <input type="search" name="text" placeholder="Filter by text" aria-label="Text" />
    ${sideSelect(checks)}
    <fieldset>
      <legend>Verdicts</legend>
      ${tally(checks).map(
        ({ verdict, count }) =>
          html`<label class="chip"
            ><input type="checkbox" name="verdict" value="${verdict}" checked /><span
              class="${verdict}"
              >${VERDICT_WORDS[verdict]} ${count}</span
            ></label
          >`,
      )}
    </fieldset>
    <span class="shown" role="status"></span>
  </form> `;
}

/** One side needs no choice. */
function sideSelect(checks: readonly CheckReport[]): Markup | null {
  const sides = bySide(checks);
  if (sides.length < 2) return null;
  return html`<select name="side" aria-label="Side">
    <option value="">All sides</option>
    ${sides.map(({ side }) => html`<option value="${side}">${SIDE_TITLES[side]}</option>`)}
  </select>`;
}

function known({ facts }: Report): Markup | null {
  if (facts.length === 0) return null;
  return html`<details class="sources">
    <summary>Keys and fixtures of this run (${facts.length})</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
          <th scope="col">Source</th>
        </tr>
      </thead>
      <tbody>
        ${facts.map(
          ({ name, value, source }) =>
            html`<tr>
              <td>${name}</td>
              <td><code>${value}</code></td>
              <td>${source}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details> `;
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
