import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { verify } from '@hookproof/receiver/verify';
import { describe, expect, test } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { listenAt } from '../server-reference/events/endpoint-listener.ts';
import { controlClient } from '../server-reference/lab/control/control-client.ts';
import { hookproof, serve } from './hookproof.ts';
import type { Serving } from './hookproof.ts';

interface Endpoints {
  readonly data: readonly { readonly url: string; readonly secret: string }[];
}

async function endpoints(server: Serving): Promise<Endpoints['data']> {
  return (await controlClient(server).expectOk<Endpoints>(200, '/webhook-endpoints')).data;
}

const secretOf = ({ ready }: Serving): string => String(ready['secret']);

describe('hookproof serve --forward-to', () => {
  test('sends events of a run, signed with the secret that it prints', async () => {
    const app = await listenAt();
    const server = await serve(['--forward-to', app.url]);
    await controlClient(server).run();
    await expect.poll(() => app.arrivals.length).toBeGreaterThan(0);
    const [arrival = expect.unreachable()] = app.arrivals;
    const event = verify(arrival.body, arrival.headers, { secrets: secretOf(server) });
    expect(event).toMatchObject({ type: 'run.created' });
  });

  test('--secret sets the secret, and --write-env keeps the other lines of the file', async () => {
    const file = join(emptyFolder(), '.env.local');
    writeFileSync(file, 'A=1\nWEBHOOK_SECRET=whsec_old\nB=2\n');
    const app = await listenAt();
    const args = ['--forward-to', app.url, '--secret', 'whsec_of_my_app', '--write-env', file];
    const server = await serve(args);
    expect(secretOf(server)).toBe('whsec_of_my_app');
    expect(readFileSync(file, 'utf8')).toBe('A=1\nWEBHOOK_SECRET=whsec_of_my_app\nB=2\n');
  });

  test('--write-env makes a private file', async () => {
    const file = join(emptyFolder(), '.env');
    const server = await serve(['--forward-to', (await listenAt()).url, '--write-env', file]);
    expect(readFileSync(file, 'utf8')).toBe(`WEBHOOK_SECRET=${secretOf(server)}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('several URLs share one secret, and a data folder keeps endpoints and secret', async () => {
    const data = join(emptyFolder(), 'platform');
    const urls = [(await listenAt()).url, (await listenAt()).url];
    const args = ['--data', data, ...urls.flatMap((url) => ['--forward-to', url])];
    const first = await serve(args);
    const made = await endpoints(first);
    expect(made.map(({ url }) => url)).toEqual(urls);
    expect(new Set(made.map(({ secret }) => secret))).toEqual(new Set([secretOf(first)]));
    await first.stop();
    const second = await serve(args);
    expect(await endpoints(second)).toEqual(made);
    expect(secretOf(second)).toBe(secretOf(first));
  });

  test('--print-secret prints the secret of the next server with these options, and ends', async () => {
    const args = ['--forward-to', 'http://127.0.0.1:1/'];
    const { code, stdout } = await hookproof(['serve', ...args, '--print-secret']);
    expect(code).toBe(0);
    expect(stdout).toBe(`${secretOf(await serve(args))}\n`);
  });

  test('warns when nothing listens there', async () => {
    const app = await listenAt();
    const server = await serve(['--forward-to', 'http://127.0.0.1:1/', '--forward-to', app.url]);
    await server.stop();
    expect(await server.errors).toBe(
      'warning: nothing listens at http://127.0.0.1:1/ (ECONNREFUSED). Start your app; failed deliveries are retried.\n',
    );
    // The probe of the other sends no request.
    expect(app.arrivals).toEqual([]);
  });
});
