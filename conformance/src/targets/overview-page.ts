import { createHash } from 'node:crypto';

import { Markup, html } from '../report/html/markup.ts';
import type { TargetResult, TargetsReport } from './model.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 1080px; padding: 32px 24px; font: 15px/1.5 system-ui, sans-serif; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 6px 12px 6px 0; border-top: 1px solid #8886; vertical-align: top; overflow-wrap: anywhere; }
.bad { color: light-dark(#c62a2f, #ff8a8a); font-weight: 600; }
.good { color: light-dark(#1a7f45, #5ecb8b); }
`;

/** A page with a row for each target, linked to its own report. `fileOf` is the address of that report. */
export function overviewPage(report: TargetsReport, fileOf: (name: string) => string): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Hookproof: ${report.headline}</title>
        ${new Markup(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <h1>${report.headline}</h1>
        <p>
          Started ${report.startedAt}, ${(report.durationMilliseconds / 1000).toFixed(1)} s, exit
          code ${report.exitCode}
        </p>
        <table>
          <thead>
            <tr>
              <th scope="col">Target</th>
              <th scope="col">Exit code</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            ${report.targets.map((target) => row(target, fileOf))}
          </tbody>
        </table>
      </body>
    </html> `;
  return page.text;
}

/** The address of a page in the same folder. */
function besides(file: string): string {
  return encodeURIComponent(file.replace(/^.*[\\/]/, ''));
}

function row(
  { name, exitCode, message, report }: TargetResult,
  fileOf: (name: string) => string,
): Markup {
  const link =
    report === null ? html`${name}` : html`<a href="${besides(fileOf(name))}">${name}</a>`;
  return html`<tr>
    <td>${link}</td>
    <td class="${exitCode === 0 ? 'good' : 'bad'}">${exitCode}</td>
    <td>${message}</td>
  </tr>`;
}
