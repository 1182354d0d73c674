import type { Outcome } from '../../verdict/verdict.ts';
import type { Report } from '../model.ts';
import { effectText, identityText, trafficText } from '../wording.ts';
import { Markup, html } from './markup.ts';

const MARKS: Readonly<Record<Outcome, { readonly tone: string; readonly path: string }>> = {
  conformant: { tone: 'pass', path: 'M13 23l6 6 12-13' },
  violated: { tone: 'fail', path: 'M15 15l14 14M29 15l-14 14' },
  'outdated-baseline': { tone: 'fail', path: 'M22 12v13M22 31v.5' },
  incomplete: { tone: 'inconclusive', path: 'M22 12v13M22 31v.5' },
  'no-result': { tone: 'not-applicable', path: 'M14 22h16' },
  interrupted: { tone: 'inconclusive', path: 'M17 14v16M27 14v16' },
};

/** The top of the report: outcome, target, time and traffic. */
export function header(report: Report): Markup {
  const { outcome, target, wire } = report;
  const { tone, path } = MARKS[outcome];
  const [title = '', ...rest] = report.headline.split(': ');
  return html`<header>
    <div class="top">
      <p class="brand">Hookproof conformance report</p>
      <div class="outcome">
        <svg class="mark ${tone}" viewBox="0 0 44 44" aria-hidden="true">
          <circle cx="22" cy="22" r="20" fill="none" stroke="currentColor" stroke-width="3" />
          <path
            d="${new Markup(path)}"
            fill="none"
            stroke="currentColor"
            stroke-width="4"
            stroke-linecap="round"
            stroke-linejoin="round"
          />
        </svg>
        <h1>${title}</h1>
      </div>
      <p class="headline">${rest.join(': ')}</p>
      <dl class="facts">
        ${fact('API', target.baseUrl)}${fact('App URL', target.appUrl === target.baseUrl ? null : target.appUrl)}${fact(
          'Control interface',
          target.controlUrl,
        )}${fact('Sender through', driverText(target))}${fact('Receiver', target.receiverUrl)}${
          target.identity === null ? null : fact('Tenant', identityText(target.identity))
        }${fact('Started', report.startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC'))}${fact(
          'Duration',
          `${(report.durationMilliseconds / 1000).toFixed(1)} s`,
        )}${fact('Traffic', trafficText(wire))}${fact('Clock of the target', offsetText(target))}${fact(
          'Effects of writes',
          effectText(target),
        )}
      </dl>
    </div>
  </header> `;
}

/** The address of the control interface stands beside it. */
function driverText({ senderDriver, controlUrl }: Report['target']): string | null {
  return senderDriver?.replace(` ${controlUrl}`, '') ?? null;
}

const SECONDS_OF_DAY = 86_400;

/** Null for clocks that agree, or of which one is unknown. */
function offsetText({ clockOffsetMilliseconds }: Report['target']): string | null {
  const seconds = Math.round((clockOffsetMilliseconds ?? 0) / 1000);
  if (seconds === 0) return null;
  const days = Math.round(Math.abs(seconds) / SECONDS_OF_DAY);
  const distance = days < 2 ? `${Math.abs(seconds)} s` : `${days} days`;
  return `about ${distance} ${seconds < 0 ? 'behind' : 'ahead'}`;
}

function fact(name: string, text: string | null): Markup | null {
  return text === null
    ? null
    : html`<div>
        <dt>${name}</dt>
        <dd>${text}</dd>
      </div>`;
}
