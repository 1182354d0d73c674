import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

const readme = read('conformance/README.md');

test('the README explains every verdict, and no other', () => {
  const schema: { $defs: { verdict: { enum: string[] } } } = JSON.parse(
    read('conformance/report.schema.json'),
  );
  const section = readme.slice(readme.indexOf('## Verdicts'), readme.indexOf('| outcome'));
  const explained = [...section.matchAll(/^\| `([a-z-]+)`/gm)].map(([, name]) => name);
  expect(explained).toEqual(schema.$defs.verdict.enum);
});

test('the page of the options explains every option', () => {
  const source = read('conformance/src/options/options.ts');
  const options = /export interface ConformanceOptions \{([\s\S]*?)\n\}/.exec(source)?.[1] ?? '';
  const names = [...options.matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, name]) => name ?? '');
  expect(names.length).toBeGreaterThan(10);
  const page = read('conformance/docs/options.md');
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
});
