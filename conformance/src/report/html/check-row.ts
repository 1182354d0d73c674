import type { HttpExchange } from '../../http/exchange.ts';
import { compareExchanges } from '../difference.ts';
import type { MarkedLine } from '../difference.ts';
import type { CheckReport, ViolationReport } from '../model.ts';
import {
  VERDICT_WORDS,
  actualText,
  attemptLines,
  knownText,
  requestText,
  responseText,
  timesText,
} from '../wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** One check as a row that opens. A failure is open from the start. */
export function checkRow(check: CheckReport): Markup {
  const { id, side, verdict, level, title, violation } = check;
  const open = verdict === 'fail' || verdict === 'harness-error' ? html` open` : null;
  return html`<details
    class="check is-${verdict}"
    id="${id}"
    data-verdict="${verdict}"
    data-side="${side}"
    ${open}
  >
    <summary>
      <span class="badge ${verdict}">${VERDICT_WORDS[verdict]}</span
      ><span class="what">${title}<span class="id">${id}</span></span
      ><span class="weight">${level}</span>
    </summary>
    <div class="body">
      ${violation === undefined ? null : versus(check, violation)}
      <dl>
        ${check.known === undefined ? null : term('Known failure', knownText(check))}${verdict === 'pass' || violation !== undefined ? null : term('Reason', check.message)}${
          check.remedies === undefined
            ? null
            : html`<dt>Add</dt>
                <dd>${check.remedies.map(({ text }) => html`<p><code>${text}</code></p>`)}</dd>`
        }${term('Rule', check.rule)}${term('Requirement', `${check.requirement} (${level}), ${check.clause}`)}${
          violation === undefined
            ? null
            : html`${verdict === 'fail' ? null : html`${violation.diagnosis.cause === null ? null : term('Likely cause', violation.diagnosis.cause)}${violation.diagnosis.fix === null ? null : term('Fix', violation.diagnosis.fix)}`}${term('Confirmed', timesText(violation.confirmed))}`
        }
      </dl>
      ${violation === undefined ? null : evidence(violation)}
    </div>
  </details> `;
}

function term(name: string, text: string): Markup {
  return html`<dt>${name}</dt>
    <dd>${text}</dd>`;
}

function versus(check: CheckReport, { expected }: ViolationReport): Markup {
  return html`<div class="versus">
    <div class="want">
      <h3>Expected</h3>
      <span class="value">${expected}</span>
    </div>
    <div class="got">
      <h3>Actual</h3>
      <span class="value">${actualText(check)}</span>
    </div>
  </div>`;
}

function evidence({ exchange, control, attempts, reproduce, command }: ViolationReport): Markup {
  const { commands, note } = reproduce;
  return html`${
      attempts.length < 2
        ? null
        : html`<h3>Attempts</h3>
            <pre><code>${attemptLines(attempts)}</code></pre>`
    }${exchange === null || control !== null ? null : exchangeBlock(exchange)}${comparison(exchange, control)}
    <h3>Reproduce</h3>
    ${note === null ? null : html`<p>${note}</p>`}${
      commands.length === 0 ? null : html`<pre><code>${commands.join('\n')}</code></pre>`
    }
    <h3>Rerun this check</h3>
    <pre><code>${command}</code></pre>`;
}

/** The control that passed beside the request that failed, with their differences marked. */
function comparison(exchange: HttpExchange | null, control: HttpExchange | null): Markup | null {
  if (exchange === null || control === null) return null;
  const { control: passed, probe } = compareExchanges(control, exchange);
  return html`<div class="exchange">
    <div>
      <h3>Control, which passed</h3>
      <pre><code>${passed.map(markedLine)}</code></pre>
    </div>
    <div>
      <h3>Failed, differences marked</h3>
      <pre><code>${probe.map(markedLine)}</code></pre>
    </div>
  </div>`;
}

function markedLine({ text, isDifferent }: MarkedLine): Markup {
  return isDifferent ? html`<mark>${text}</mark>${'\n'}` : html`${text}${'\n'}`;
}

function exchangeBlock(exchange: HttpExchange): Markup {
  return html`<div class="exchange">
    <div>
      <h3>Request of the ${exchange.sentBy}</h3>
      <pre><code>${requestText(exchange)}</code></pre>
    </div>
    <div>
      <h3>Response</h3>
      <pre><code>${responseText(exchange)}</code></pre>
    </div>
  </div>`;
}
