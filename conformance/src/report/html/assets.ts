/** The filter of the HTML report. Without scripts, the page shows every check and hides the form. */
export const SCRIPT = `
(() => {
  const form = document.querySelector('form');
  if (form === null) return;
  const rows = [...document.querySelectorAll('details.check')];
  const folds = [...document.querySelectorAll('details.quiet')];
  const shown = form.querySelector('.shown');
  const filter = () => {
    const words = form.elements.text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const side = form.elements.side?.value ?? '';
    const verdicts = new Set([...form.querySelectorAll('[name=verdict]:checked')].map((box) => box.value));
    let count = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const match = verdicts.has(row.dataset.verdict) && (side === '' || side === row.dataset.side)
        && words.every((word) => text.includes(word));
      row.hidden = !match;
      if (match) count += 1;
    }
    for (const fold of folds) {
      fold.hidden = !fold.querySelector('details.check:not([hidden])');
      if (words.length > 0) fold.open = true;
    }
    for (const section of document.querySelectorAll('section.checks')) {
      section.hidden = !section.querySelector('details.check:not([hidden])');
    }
    shown.textContent = count + ' of ' + rows.length + ' shown';
  };
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  const reveal = () => {
    const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!(row instanceof HTMLDetailsElement)) return;
    row.open = true;
    const fold = row.closest('details.quiet');
    if (fold === null) return;
    fold.open = true;
    row.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  reveal();
  form.hidden = false;
  filter();
})();
`;

/** The style sheet of the HTML report: system fonts, both color schemes, no external resources. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --line: #dfe3e8; --text: #1b2027; --soft: #5a6472; --code: #f1f3f6;
  --accent: #2557d6;
  --pass: #1a7f45; --fail: #c62a2f; --warn: #9a5b00; --info: #2557d6; --none: #6b7480;
  --pass-tint: #e5f4ea; --fail-tint: #fdeaea; --warn-tint: #fcf1dd; --info-tint: #e8eefc; --none-tint: #eceef1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #111418; --card: #191d23; --line: #2d333c; --text: #e7eaee; --soft: #9ba5b2; --code: #12161b;
    --accent: #8fb0ff;
    --pass: #5ecb8b; --fail: #ff8a8a; --warn: #e9b45c; --info: #8fb0ff; --none: #9ba5b2;
    --pass-tint: #16301f; --fail-tint: #3a1b1d; --warn-tint: #33270f; --info-tint: #1a2543; --none-tint: #262b33;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main, .top { max-width: 1080px; margin: 0 auto; padding: 0 24px; }
h1, h2, h3, p, dl, dd { margin: 0; }
code, pre, .id { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 13px; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 16px; top: 8px; background: var(--card); padding: 4px 8px; }

header { background: var(--card); border-bottom: 1px solid var(--line); padding: 32px 0 24px; margin-bottom: 24px; }
.brand { color: var(--soft); font-size: 13px; letter-spacing: .02em; }
.outcome { display: flex; align-items: center; gap: 16px; margin: 12px 0 4px; }
.mark { flex: none; width: 44px; height: 44px; border-radius: 50%; }
h1 { font-size: 28px; line-height: 1.2; letter-spacing: -.01em; }
h1::first-letter { text-transform: uppercase; }
.headline { color: var(--soft); margin-left: 60px; }
.facts { display: flex; flex-wrap: wrap; gap: 8px 32px; margin-top: 20px; }
.facts dt { color: var(--soft); font-size: 12px; }
.facts dd { overflow-wrap: anywhere; }

.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); gap: 16px; margin-bottom: 24px; }
.side { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px; }
.side h2 { font-size: 15px; display: flex; justify-content: space-between; }
.side h2 span { color: var(--soft); font-weight: 400; }
.bar { display: block; width: 100%; height: 8px; border-radius: 4px; margin: 12px 0; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; list-style: none; margin: 0; padding: 0; font-size: 13px; }
.legend b { font-weight: 600; }

.causes { margin-bottom: 24px; }
.causes .callout { margin-bottom: 10px; }
.causes .callout > p:first-child { font-weight: 600; }
.causes .callout > ul { margin-top: 10px; }
.causes > h2 { font-size: 18px; margin-bottom: 8px; }
.callout p { margin-bottom: 4px; }
.callout summary { cursor: pointer; color: var(--soft); font-size: 13px; }
.callout .id { display: block; color: var(--soft); }
.callout { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--warn); border-radius: 8px; padding: 14px 16px; margin-bottom: 24px; }
.callout h2 { font-size: 15px; margin-bottom: 6px; }
.callout ul { margin: 0; padding-left: 18px; }
.callout details > ul { margin-top: 4px; }
.callout li { margin: 4px 0; overflow-wrap: anywhere; }
mark { background: var(--warn-tint); color: inherit; font-weight: 600; border-radius: 3px; box-shadow: inset 3px 0 var(--warn); padding-left: 6px; }
.groups > li { margin: 10px 0; }
.tag { display: inline-block; border: 1px solid var(--line); border-radius: 4px; padding: 0 6px; font-size: 12px; color: var(--soft); }
.aside { display: block; color: var(--soft); font-size: 13px; }
details.check { scroll-margin-top: 64px; }
details.check:target { outline: 2px solid var(--accent); outline-offset: 1px; }
.callout.bad { border-left-color: var(--fail); }

form { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; position: sticky; top: 0; z-index: 1; background: var(--page); padding: 10px 0; margin-bottom: 8px; }
form[hidden] { display: none; }
input[type=search], select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 6px 10px; }
input[type=search] { flex: 1 1 220px; min-width: 0; }
fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 6px; }
legend { position: absolute; left: -9999px; }
.chip { display: inline-flex; gap: 6px; align-items: center; border: 1px solid var(--line); border-radius: 999px; padding: 3px 10px; background: var(--card); cursor: pointer; font-size: 13px; }
.chip:has(input:not(:checked)) { opacity: .55; }
.chip input { accent-color: var(--accent); margin: 0; }
.shown { color: var(--soft); font-size: 13px; }

section.checks { margin-bottom: 32px; }
section.checks > h2 { font-size: 18px; margin: 16px 0 8px; }
details.check { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin-bottom: 6px; }
details[hidden] { display: none; }
details.quiet > summary { cursor: pointer; padding: 9px 14px; margin-bottom: 6px; background: var(--card); border: 1px solid var(--line); border-radius: 8px; color: var(--soft); list-style: none; }
details.quiet > summary::before { content: "▸"; display: inline-block; width: 20px; }
details.quiet[open] > summary::before { content: "▾"; }
details.quiet > summary:hover { background: var(--code); color: var(--text); }
details.check > summary { display: grid; grid-template-columns: 116px minmax(0, 1fr) auto; gap: 4px 12px; align-items: baseline; padding: 9px 14px; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
details.check > summary:hover { background: var(--code); border-radius: 8px; }
summary .what { min-width: 0; overflow-wrap: anywhere; }
summary .id { display: block; color: var(--soft); }
summary .weight { color: var(--soft); font-size: 12px; }
.badge { display: inline-block; border-radius: 999px; padding: 1px 10px; font-size: 12px; font-weight: 600; white-space: nowrap; justify-self: start; }
.pass { color: var(--pass); } .badge.pass { background: var(--pass-tint); }
.fail, .harness-error { color: var(--fail); } .badge.fail, .badge.harness-error { background: var(--fail-tint); }
.known, .advice, .could-not-run, .inconclusive { color: var(--warn); } .badge.known, .badge.advice, .badge.could-not-run, .badge.inconclusive { background: var(--warn-tint); }
.info { color: var(--info); } .badge.info { background: var(--info-tint); }
.not-applicable, .locked { color: var(--none); } .badge.not-applicable, .badge.locked { background: var(--none-tint); }
details.check.is-fail { border-left: 4px solid var(--fail); }

.body { padding: 4px 14px 16px; border-top: 1px solid var(--line); }
.body > dl { display: grid; grid-template-columns: 116px minmax(0, 1fr); gap: 6px 12px; margin-top: 10px; }
.body dt { color: var(--soft); }
.body dd { overflow-wrap: anywhere; }
.versus { display: grid; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); gap: 12px; margin-top: 14px; }
.versus > div { border-radius: 8px; padding: 10px 12px; overflow-wrap: anywhere; }
.value { white-space: pre-wrap; }
.versus h3 { font-size: 12px; color: var(--soft); font-weight: 600; }
.want { background: var(--pass-tint); } .got { background: var(--fail-tint); }
.body h3 { font-size: 13px; margin: 16px 0 4px; }
.versus h3 { margin: 0 0 2px; }
pre { margin: 0; background: var(--code); border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 420px; overflow: auto; }
.exchange { display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); gap: 12px; }
.exchange > div { min-width: 0; }

table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: left; padding: 5px 10px 5px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; vertical-align: top; }
th { color: var(--soft); font-weight: 500; border-top: 0; }
.sources { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 10px 14px; margin-bottom: 32px; }
.sources > summary { cursor: pointer; }
footer { color: var(--soft); font-size: 13px; padding: 0 0 40px; }

@media (max-width: 640px) {
  main, .top { padding: 0 14px; }
  h1 { font-size: 23px; }
  .headline { margin-left: 0; margin-top: 8px; }
  header { padding: 20px 0 16px; margin-bottom: 16px; }
  .facts { display: block; margin-top: 14px; font-size: 13px; }
  .facts > div { display: grid; grid-template-columns: 116px minmax(0, 1fr); gap: 12px; padding: 2px 0; }
  .facts dt { font-size: 13px; }
  details.check > summary { grid-template-columns: minmax(0, 1fr) auto; }
  summary .what { grid-column: 1 / -1; grid-row: 2; }
  .body > dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .body dd { margin-bottom: 8px; }
  form { position: static; }
}
@media print {
  form, .skip { display: none; }
  details.check { break-inside: avoid; }
  mark { text-decoration: underline; }
  pre { max-height: none; }
}
`;
