import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';

import { listControlOperations, loadControl } from '@hookproof/spec/control';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { emptyFolder } from '../../../empty-folder.ts';
import { startControlled } from './control-client.ts';

const CONTROL_PREFIX = '/_control';
const SH_BLOCK = /^```sh\n(.*?)^```/ms;

const ROOM = new URL('../../../../server-reference/', import.meta.url);
const START = 'CONTROL.md';

function read(name: string): string {
  return readFileSync(new URL(name, ROOM), 'utf8');
}

const page = read(START);
/** The topics in the order of the start page. */
const topics = [...page.matchAll(/^- \[.+\]\((docs\/control\/\w+\.md)\)$/gm)].map(
  ([, name = '']) => name,
);
const pages = new Map([START, ...topics].map((name) => [name, read(name)]));

interface Section {
  readonly method: string;
  readonly path: string;
  /** Its example, or the command by the pattern that the page names. */
  readonly command: string;
  readonly success: number;
}

const sections: Section[] = topics
  .map(read)
  .flatMap((text) => text.slice(0, text.indexOf('## Objects')).split(/^### /m).slice(1))
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

test('the pages have exactly the operations of control.yaml, each with its success status', () => {
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
  const text = read(target);
  expect(parse(text)).toMatchObject({ info: { title: 'Test-control interface' } });
});

test('every link on the pages leads to a section or a file', () => {
  const anchors = new Map([...pages].map(([name, text]) => [name, anchorsOf(text)]));
  const links = [...pages].flatMap(([from, text]) =>
    [...text.matchAll(/\]\(([^)#]*)#([^)]+)\)/g)].map(([, file = '', anchor = '']) => ({
      from,
      to: file === '' ? from : posix.join(posix.dirname(from), file),
      anchor,
    })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ to, anchor }) => anchors.get(to)?.has(anchor) !== true)).toEqual([]);
});

function anchorsOf(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Types the blocks of the pages in their order in one shell. Returns the last status that curl reports in each. */
async function typed(environment: Record<string, string>): Promise<number[]> {
  const folder = emptyFolder();
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

test('each command on the pages succeeds, typed in order with nothing filled in', async () => {
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
