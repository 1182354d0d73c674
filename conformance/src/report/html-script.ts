/** The filter of the HTML report. The page is whole without it: the form is hidden until this runs. */
export const SCRIPT = `
(() => {
  const form = document.querySelector('form');
  const rows = [...document.querySelectorAll('details.check')];
  const shown = form.querySelector('.shown');
  const filter = () => {
    const words = form.elements.text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const side = form.elements.side.value;
    const verdicts = new Set([...form.querySelectorAll('[name=verdict]:checked')].map((box) => box.value));
    let count = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const match = verdicts.has(row.dataset.verdict) && (side === '' || side === row.dataset.side)
        && words.every((word) => text.includes(word));
      row.hidden = !match;
      if (match) count += 1;
    }
    for (const section of document.querySelectorAll('section.checks')) {
      section.hidden = !section.querySelector('details.check:not([hidden])');
    }
    shown.textContent = count + ' of ' + rows.length + ' shown';
  };
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  filter();
})();
`;
