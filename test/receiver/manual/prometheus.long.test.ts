import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { receiverWithDeadLetters } from '../inbox/receiver-with-dead-letters.ts';
import { page } from './pages.ts';

interface Response {
  readonly type: (name: string) => Response;
  readonly send: (text: string) => void;
}

type Route = (request: null, response: Response) => Promise<void>;

test('the example of Prometheus serves what stats() returns', async () => {
  const folder = emptyFolder();
  execFileSync('npm', ['install', 'prom-client@15', '--no-audit', '--no-fund'], { cwd: folder });
  const block = /^```js\n(import \{ Gauge[\s\S]*?)^```/m.exec(page('docs/operations').text)?.[1];
  const [imports = '', ...code] = (block ?? '').split('\n\n');
  const file = join(folder, 'metrics.mjs');
  writeFileSync(file, `${imports}\nexport function serve(receiver, app) {\n${code.join('\n')}}\n`);
  const { serve } = await import(pathToFileURL(file).href);
  const { receiver } = await receiverWithDeadLetters('live');
  const routes: Route[] = [];
  serve(receiver, { get: (_path: string, route: Route) => routes.push(route) });
  let text = '';
  let type = '';
  const response: Response = {
    type: (name) => {
      type = name;
      return response;
    },
    send: (sent) => (text = sent),
  };
  await routes[0]?.(null, response);
  expect(type).toMatch(/^text\/plain; version=/);
  expect(text).toContain('\nhookproof_dead 2\n');
  expect(text).toContain('\nhookproof_refused 0\n');
  expect(text).toContain('\nhookproof_oldest_open_milliseconds 0\n');
});
