import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { listControlOperations, loadControl } from '@hookproof/spec/control';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';

import { startControlled } from './control-client.ts';

const CONTROL_PREFIX = '/_control';
const SH_BLOCK = /^```sh\n(.*?)^```/ms;

const page = readFileSync(
  new URL('../../../../server-reference/CONTROL.md', import.meta.url),
  'utf8',
);

interface Section {
  readonly method: string;
  readonly path: string;
  /** Its example, or the command by the pattern that the page names. */
  readonly command: string;
  readonly success: number;
}

const sections: Section[] = page
  .slice(page.indexOf('## Reference'), page.indexOf('## Errors'))
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const [, method = '', path = ''] = /^`(\w+) (\S+)`/m.exec(text) ?? [];
    return {
      method,
      path,
      command: SH_BLOCK.exec(text)?.[1] ?? byPattern(method, path),
      success: Number(/^- `(2\d+)`/m.exec(text)?.[1]),
    };
  });

/** An operation without an example takes the variable of the example before it. */
function byPattern(method: string, path: string): string {
  const [, resource = ''] = path.slice(CONTROL_PREFIX.length).split('/');
  const kind = resource.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', '_').toUpperCase();
  const filled = path.replace(/\{(?:id|runId)\}/, `$${kind}_ID`).replace('{number}', '1');
  return `curl -X ${method} -H "$TOKEN" ${filled.replace(CONTROL_PREFIX, '$CONTROL')}\n`;
}

test('the page has exactly the operations of control.yaml, each with its success status', () => {
  const documented = listControlOperations(loadControl()).map(({ method, path, responses }) => {
    const success = Object.keys(responses).find((status) => status.startsWith('2'));
    return `${method} ${CONTROL_PREFIX}${path} ${success}`;
  });
  expect(
    sections.map(({ method, path, success }) => `${method} ${path} ${success}`).toSorted(),
  ).toEqual(documented.toSorted());
});

test('the page links to control.yaml', () => {
  const [, target = ''] = /\[`control\.yaml`\]\(([^)]+)\)/.exec(page) ?? [];
  const text = readFileSync(
    new URL(`../../../../server-reference/${target}`, import.meta.url),
    'utf8',
  );
  expect(parse(text)).toMatchObject({ info: { title: 'Test-control interface' } });
});

test('every link on the page leads to a section or a file', () => {
  const anchors = new Set(
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
  const targets = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
  expect(targets.length).toBeGreaterThan(100);
  expect(targets.filter((anchor) => !anchors.has(anchor))).toEqual([]);
});

/** Types the blocks of the page in their order in one shell. Returns the last status that curl reports in each. */
async function typed(environment: Record<string, string>): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hookproof-control-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, '.curlrc'), 'write-out = "%{stderr}\\nSTATUS %{http_code}\\n"\n');
  const examples = page.slice(0, page.indexOf('## Reference'));
  const [variables = '', ...common] = [...examples.matchAll(new RegExp(SH_BLOCK, 'gms'))].map(
    ([, block = '']) => block,
  );
  const blocks = [...common, ...sections.map(({ command }) => command)];
  const script = [
    'set -a',
    variables,
    ...blocks.map((block, place) => `echo "BLOCK ${place}" >&2\n${ending(block)}`),
  ];
  const { stderr } = await promisify(execFile)('bash', ['-c', script.join('\n')], {
    env: { PATH: process.env['PATH'] ?? '', CURL_HOME: folder, ...environment },
    maxBuffer: 16 << 20,
  });
  return stderr
    .split(/^BLOCK \d+$/m)
    .slice(1)
    .map((text) => Number([...text.matchAll(/^STATUS (\d+)$/gm)].at(-1)?.[1]));
}

/** The stream has no end. */
function ending(block: string): string {
  return block.startsWith('curl -N') ? `${block.trim()} --max-time 2 || true` : block;
}

test('each command on the page succeeds, typed in order with nothing filled in', async () => {
  const { server } = await startControlled();
  const statuses = await typed({
    HOOKPROOF_CONTROL_URL: server.controlUrl,
    HOOKPROOF_CONTROL_TOKEN: server.controlToken,
  });
  const common = statuses.slice(0, statuses.length - sections.length);
  expect(common).toEqual([201, 200, 202, 201, 200]);
  const reference = statuses.slice(common.length);
  expect(sections.map(({ path }, place) => ({ path, status: reference[place] }))).toEqual(
    sections.map(({ path, success }) => ({ path, status: success })),
  );
});
