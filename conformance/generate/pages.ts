import { checks } from '@hookproof/conformance';
import { loadControl } from '@hookproof/spec/control';
import { loadRequirements } from '@hookproof/spec/requirements';
import { format } from 'prettier';

import { coveragePage } from './coverage-page.ts';
import { fixturesPage } from './fixtures-page.ts';

/** One generated page of the room. */
export interface Page {
  /** Name of the file in the folder of the room. */
  readonly name: string;
  /** Returns the whole text, formatted. */
  readonly render: () => Promise<string>;
}

/** What `npm run generate` makes in this room; it is checked in. */
export const pages: readonly Page[] = [
  page('COVERAGE.md', () => coveragePage(loadRequirements(), checks)),
  page('FIXTURES.md', () => fixturesPage(loadControl())),
];

function page(name: string, text: () => string): Page {
  return { name, render: () => format(text(), { parser: 'markdown' }) };
}
