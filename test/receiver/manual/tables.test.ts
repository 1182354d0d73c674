import { readFileSync } from 'node:fs';

import { PROBLEM_CODES, STORE_ERROR_CODES } from '@hookproof/receiver';
import { describe, expect, it } from 'vitest';

import { EXPECTED_RESPONSES } from '../expected-responses.ts';
import { rows } from './pages.ts';

const REFERENCE = 'docs/reference';

function codes(heading: string): readonly string[] {
  return rows(REFERENCE, heading).map(([code]) => code);
}

describe('the reference of the receiver', () => {
  it('documents every response', () => {
    const given = Object.entries(EXPECTED_RESPONSES).map(
      ([code, { status }]) => [code, `${status}`] as const,
    );
    expect(new Map(rows(REFERENCE, 'Responses'))).toEqual(new Map(given));
  });

  it('documents every problem and every code of an error', () => {
    expect(codes('Problems')).toEqual([...PROBLEM_CODES]);
    expect(codes('Store errors')).toEqual([...STORE_ERROR_CODES]);
  });

  it('names every entry point', () => {
    const url = new URL('../../../receiver/package.json', import.meta.url);
    const { exports }: { exports: Record<string, unknown> } = JSON.parse(readFileSync(url, 'utf8'));
    const page = readFileSync(
      new URL('../../../receiver/docs/reference.md', import.meta.url),
      'utf8',
    );
    const [section = ''] = page.split('\n## Entry points\n')[1]?.split('\n## ') ?? [];
    const named = [...section.matchAll(/^\| (`.*?`) +\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`[^`/]*(?:\/receiver)?(\/[\w-]+)?`/g)].map(([, name = '']) => `.${name}`),
    );
    expect(named.toSorted()).toEqual(
      Object.keys(exports)
        .filter((name) => name !== './package.json')
        .toSorted(),
    );
  });
});
