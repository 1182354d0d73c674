import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { ROOT } from '../../../compiled-program.ts';
import { openApp } from '../../open-app.ts';
import type { OpenApp } from '../../open-app.ts';
import { send } from '../../send.ts';
import type { Received, SentRequest } from '../../send.ts';

const FOLDER = join(ROOT, 'server-reference', 'dist', 'dashboard');

/** Requests below `/_dashboard` of an app that lives for one test. */
async function dashboard(): Promise<
  (path: string, more?: Partial<SentRequest>) => Promise<Received>
> {
  const app: OpenApp = await openApp();
  onTestFinished(() => app.close());
  return (path, more = {}) =>
    send(app.listener, { method: 'GET', path, headers: { host: 'localhost' }, ...more });
}

describe('the dashboard', () => {
  test.each([
    ['/_dashboard/', 'text/html; charset=utf-8', 'index.html'],
    ['/_dashboard/deliveries/dlv_1?status=ended', 'text/html; charset=utf-8', 'index.html'],
    ['/_dashboard/app.js', 'text/javascript; charset=utf-8', 'app.js'],
    ['/_dashboard/style.css', 'text/css; charset=utf-8', 'style.css'],
    ['/_dashboard/icon.svg', 'image/svg+xml', 'icon.svg'],
  ])('serves %s as %s', async (path, type, file) => {
    const get = await dashboard();
    const { status, headers, bytes } = await get(path);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type });
    expect(bytes).toEqual(readFileSync(join(FOLDER, file)));
  });

  test('allows its own files only: no code and no style within the page, no frame', async () => {
    const get = await dashboard();
    const { headers } = await get('/_dashboard/');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test('responds 304 while a file is the same', async () => {
    const get = await dashboard();
    const { headers } = await get('/_dashboard/app.js');
    const tag = String(headers['etag']);
    const again = await get('/_dashboard/app.js', {
      headers: { host: 'localhost', 'if-none-match': tag },
    });
    expect({ status: again.status, length: again.bytes.length }).toEqual({
      status: 304,
      length: 0,
    });
    const other = await get('/_dashboard/style.css', {
      headers: { host: 'localhost', 'if-none-match': tag },
    });
    expect(other.status).toBe(200);
  });

  test('responds to HEAD without a body', async () => {
    const get = await dashboard();
    const { status, headers, bytes } = await get('/_dashboard/app.js', { method: 'HEAD' });
    const { length } = readFileSync(join(FOLDER, 'app.js'));
    expect({ status, sent: bytes.length }).toEqual({ status: 200, sent: 0 });
    expect(headers['content-length']).toBe(String(length));
  });

  test.each([
    ['/_dashboard/gone.js', 'GET', 404],
    ['/_dashboard/../package.json', 'GET', 404],
    ['/_dashboard/%2e%2e%2fpackage.json', 'GET', 404],
    ['/_dashboard/', 'POST', 405],
  ] as const)('responds to %s %s with %i', async (path, method, status) => {
    const get = await dashboard();
    const received = await get(path, { method });
    expect(received.status).toBe(status);
    expect(received.bytes.toString()).not.toContain('"dependencies"');
  });

  test('refuses a foreign Host', async () => {
    const get = await dashboard();
    expect((await get('/_dashboard/', { headers: { host: 'evil.example' } })).status).toBe(421);
  });

  test.each([
    ['/', 'text/html,application/xhtml+xml', 302],
    ['/', 'application/json', 401],
    ['/_dashboard', '*/*', 302],
  ])('leads %s with Accept: %s to the dashboard: %i', async (path, accept, status) => {
    const get = await dashboard();
    const received = await get(path, { headers: { host: 'localhost', accept } });
    expect(received.status).toBe(status);
    expect(received.headers['location']).toBe(status === 302 ? '/_dashboard/' : undefined);
  });
});
