import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

import { runInProcess } from './hookproof.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The pages of a folder, without those of the API, which are made from the doc comments. */
function pagesIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => `${folder}/${name}`);
}

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/development.md',
  'SECURITY.md',
  ...pagesIn('docs/recipes'),
  'spec/FREEDOMS.md',
  'spec/README.md',
  'receiver/README.md',
  ...pagesIn('receiver/docs'),
  'server-reference/README.md',
  'server-reference/BEHAVIOR.md',
  'server-reference/RESPONSES.md',
  'server-reference/CONTROL.md',
  ...pagesIn('server-reference/docs/control'),
  'conformance/FIXTURES.md',
  'conformance/README.md',
  ...pagesIn('conformance/docs'),
];

test("the front page shows the receiver's quick start, which its own test compiles and runs", () => {
  const [front, room] = ['README.md', 'receiver/README.md'].map(
    (page) => /```ts\n(.*?)```/s.exec(readFileSync(join(ROOT, page), 'utf8'))?.[1],
  );
  expect(front).toContain('createReceiver');
  expect(front).toBe(room);
});

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');

  test('links only to files that exist', () => {
    const prose = text.replaceAll(/```[^]*?```|`[^`\n]*`/g, '');
    const links = [...prose.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link]) => link ?? '');
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => !existsSync(join(ROOT, dirname(page), link)));
    expect(broken).toEqual([]);
  });

  test('names only npm scripts and options that exist', async () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    );
    const named = [...text.matchAll(/npm run ([a-z:-]+)/g)].map(([, script]) => script ?? '');
    expect(named.filter((script) => !(script in scripts))).toEqual([]);

    const calls = [
      ...text.matchAll(/hookproof (serve|trigger|redeliver|clock|check|demo)((?:[^\n`]|\\\n)*)/g),
    ];
    for (const command of new Set(calls.map(([, name]) => name ?? ''))) {
      const help = (await runInProcess([command, '--help'])).stdout;
      const flags = calls
        .filter(([, name]) => name === command)
        .flatMap(([, , rest]) => rest?.match(/--[a-z][a-z-]*/g) ?? []);
      expect(
        flags.filter((flag) => !help.includes(`${flag} `) && !help.includes(`${flag}\n`)),
        command,
      ).toEqual([]);
    }
  });
});
