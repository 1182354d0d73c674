import { describe, expect, test } from 'vitest';

import { commandsOf, stepsOf } from '../../../bin/dist/commands/init/recipe.js';
import { recipeIndex, recipes } from './read-recipe.ts';
import { workflowOf } from './workflow.ts';

const PAGES = recipes();
const INDEX = recipeIndex();

test('the index lists every page once', () => {
  const listed = [...INDEX.text.matchAll(/^\|.*\]\(([\w-]+)\.md\)/gm)].map(([, name = '']) => name);
  expect(listed.toSorted()).toEqual(PAGES.map(({ name }) => name));
});

test('the index installs the packages of a clone, and SQLite where Node.js has none', () => {
  expect(commandsOf(INDEX)).toEqual([
    'npm install ../hookproof/packages/*.tgz',
    'npm install @photostructure/sqlite@1',
  ]);
});

test('the workflow runs only on GitHub: what it uses is from there', () => {
  const page = PAGES.find(({ name }) => name === 'github-actions') ?? expect.unreachable();
  const { on, jobs } = workflowOf(page);
  expect(on).toEqual(['push', 'pull_request']);
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const used = steps.flatMap((step) => ('uses' in step ? [step.uses] : []));
  expect(used).toEqual([
    'actions/checkout@v4',
    'actions/setup-node@v4',
    'actions/upload-artifact@v4',
  ]);
});

describe('the reader of pages', () => {
  test('finds files, commands and output in their order', () => {
    const page =
      'First:\n\n`a.mjs`:\n\n```js\n1;\n```\n\n```sh\na \\\n  b\nc &\n```\n\n```text\nd\ne\n```\n';
    expect(stepsOf(page, 'page.md')).toEqual([
      { kind: 'file', line: 5, name: 'a.mjs', text: '1;\n' },
      { kind: 'command', line: 10, command: 'a \\\n  b' },
      { kind: 'command', line: 12, command: 'c &' },
      { kind: 'output', line: 15, lines: ['d', 'e'] },
    ]);
  });

  test('refuses a block that a reader could not use', () => {
    expect(() => stepsOf('Text\n\n```js\n1;\n```\n', 'page.md')).toThrow(
      'page.md:3: a block must be sh, text or a file with its `name`: above it, got js.',
    );
  });
});
