import type { HttpExchange } from '../../http/exchange.ts';
import type { CheckReport, ViolationReport } from '../model.ts';
import { VERDICT_WORDS, ownMessage, requestText, responseText } from '../wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** One check as a row that opens. A failure is open from the start. */
export function checkRow(check: CheckReport): Markup {
  const { id, side, verdict, level, title, violation } = check;
  const own = ownMessage(check);
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
      ${violation === undefined ? null : versus(violation)}
      <dl>
        ${verdict === 'pass' || violation !== undefined ? null : term('Reason', check.message)}${
          check.remedy === undefined
            ? null
            : html`<dt>Remedy</dt>
                <dd><code>${check.remedy}</code></dd>`
        }${own === null ? null : term('Message', own)}${term('Rule', check.rule)}${term('Requirement', `${check.requirement} (${level}), ${check.clause}`)}${
          violation === undefined ? null : term('Confirmed', `${violation.confirmed} times`)
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

function versus({ expected, actual }: ViolationReport): Markup {
  return html`<div class="versus">
    <div class="want">
      <h3>Expected</h3>
      <span class="value">${expected}</span>
    </div>
    <div class="got">
      <h3>Actual</h3>
      <span class="value">${actual}</span>
    </div>
  </div>`;
}

function evidence({ exchange, curl, command }: ViolationReport): Markup {
  return html`${exchange === null ? null : exchangeBlock(exchange)}${
      curl === null
        ? null
        : html`<h3>Send this request</h3>
            <pre><code>${curl}</code></pre>`
    }
    <h3>Rerun this check</h3>
    <pre><code>${command}</code></pre>`;
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
