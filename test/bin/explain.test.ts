import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import {
  githubSigner,
  runStatusChangedEvent,
  sign,
  standardWebhooksSigner,
  stripeSigner,
} from '@hookproof/receiver/testing';
import express from 'express';
import { describe, expect, test } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { listeningPort } from '../listening-port.ts';
import { controlClient } from '../server-reference/lab/control/control-client.ts';
import { hookproof, serve, stateFile } from './hookproof.ts';

const SECRET = 'whsec_ZXhwbGFpbiB0aGlzIGRlbGl2ZXJ5';
const env = { WEBHOOK_SECRET: SECRET };
const canary = 'canary "äß" it\'s </& $HOME `id` \\n \u0000 7f3a';
const event = runStatusChangedEvent({ run: { output: { text: canary } } });
const body = JSON.stringify(event);

function headersOf(bytes: string | Buffer, secret = SECRET): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000);
  const type = { 'content-type': 'application/json' };
  return { ...type, ...sign({ secret, id: event.id, timestamp, body: bytes }) };
}

/** Writes a delivery as `hookproof listen --save` does. */
function saved(headers: Record<string, string>, bytes: string | Buffer, receivedAt = Date.now()) {
  const folder = join(emptyFolder(), '0001-whev_1');
  mkdirSync(folder);
  writeFileSync(join(folder, 'headers.json'), JSON.stringify(Object.entries(headers)));
  writeFileSync(join(folder, 'body'), bytes);
  const meta = { format: 1, receivedAt: new Date(receivedAt).toISOString() };
  writeFileSync(join(folder, 'meta.json'), JSON.stringify(meta));
  return folder;
}

describe('hookproof explain FOLDER', () => {
  test('ends with 0 for a valid delivery, by the time at which it arrived', async () => {
    const yesterday = Date.now() - 86_400_000;
    const timestamp = Math.floor(yesterday / 1000);
    const headers = sign({ secret: SECRET, id: event.id, timestamp, body });
    const { code, stdout } = await hookproof(['explain', saved(headers, body, yesterday)], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^valid: The signature and the time are valid\.\n {2}The delivery is/);
  });

  test('says cause, two facts and the fix of each framework for a changed body', async () => {
    const folder = saved(headersOf(body), JSON.stringify(event, null, 2));
    const { code, stdout } = await hookproof(['explain', folder], { env });
    expect(code).toBe(1);
    const [cause, ...lines] = stdout.trimEnd().split('\n');
    expect(cause).toBe('body_reserialized: The body changed after it was signed.');
    expect(lines[0]).toBe('  The signature matches the body as JSON without spaces.');
    expect(lines[1]).toMatch(
      /^ {2}The delivery has \d+ bytes \(application\/json\), and was signed/,
    );
    expect(lines[2]).toMatch(/^Fix: Verify the bytes as received/);
    for (const name of ['Express', 'Fastify', 'Hono', 'NestJS', 'Flask']) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
    }
  });

  test('compares the other secrets, and prints JSON', async () => {
    const folder = saved(headersOf(body, 'whsec_other'), body);
    const secrets = ['--secret', SECRET, '--secret', 'whsec_third', '--secret', 'whsec_other'];
    const { code, stdout } = await hookproof(['explain', folder, '--json', ...secrets]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      cause: 'other_secret',
      evidence: [expect.stringContaining('secret of --secret 3'), expect.any(String)],
      frameworks: [],
    });
  });
});

test('hookproof explain knows Stripe by its headers, and Standard Webhooks by --sender', async () => {
  const at = Date.now() - 86_400_000;
  const paid = { id: 'evt_1', type: 'invoice.paid', data: { object: {} } };
  const stripe = stripeSigner({ secret: SECRET }).sign(paid, at);
  const bytes = Buffer.from(stripe.body);
  const late = await hookproof(['explain', saved(stripe.headers, bytes)], { env });
  expect([late.code, late.stdout]).toEqual([1, expect.stringMatching(/^clock_off: /)]);
  const valid = await hookproof(['explain', saved(stripe.headers, bytes, at)], { env });
  expect([valid.code, valid.stdout]).toEqual([
    0,
    expect.stringContaining(`was signed for ${new Date(at).toISOString().slice(0, 10)}`),
  ]);
  const crm = standardWebhooksSigner({ secret: SECRET }).sign({ id: 'msg_1', payload: {} }, at);
  const folder = saved(crm.headers, Buffer.from(crm.body), at);
  const platform = await hookproof(['explain', folder], { env });
  expect(platform.stdout).toMatch(/^signature_in_base64: .*standardWebhooks\(\)/s);
  const standard = ['explain', folder, '--sender', 'standard-webhooks'];
  expect((await hookproof(standard, { env })).code).toBe(0);
});

test('hookproof explain tells a form of GitHub which setting it is, and no framework', async () => {
  const { headers } = githubSigner({ secret: SECRET }).sign(
    { id: '1', event: 'push', payload: {} },
    0,
  );
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  const { code, stdout } = await hookproof(['explain', saved(form, 'payload=%7B%7D')], { env });
  expect(code).toBe(1);
  const [cause, ...lines] = stdout.trimEnd().split('\n');
  expect(cause).toBe('body_form_encoded: The body was sent as a form.');
  expect(lines.at(-1)).toMatch(/^Fix: Set the content type of the webhook to application\/json/);
});

/** An app with a body parser in front, which verifies what it writes again. */
async function breakingApp(secret: string): Promise<string> {
  const app = express();
  app.use(express.json());
  app.post('/hook', (request, response) => {
    const { 'webhook-id': id = '', 'webhook-timestamp': timestamp } = request.headers;
    const again = JSON.stringify(request.body, null, 1);
    const expected = sign({ secret, id: String(id), timestamp: Number(timestamp), body: again });
    const isValid = expected['webhook-signature'] === request.headers['webhook-signature'];
    response.status(isValid ? 200 : 401).json({ code: 'signature_mismatch' });
  });
  return `http://127.0.0.1:${await listeningPort(createServer(app))}/hook`;
}

/** A delivery that the app refuses, of a server that is found by its state file. */
async function refused(run: object = {}): Promise<{ id: string; state: Record<string, string> }> {
  const state = { HOOKPROOF_STATE_FILE: stateFile() };
  const control = controlClient(await serve([], { env: state }));
  await control.endpoint(await breakingApp(SECRET), { secret: SECRET });
  const { id: runId } = await control.run(run);
  const [delivery] = await control.settled(`?runId=${runId}`);
  return { id: delivery?.id ?? '', state };
}

describe('hookproof explain --delivery', () => {
  test('says that the request was correct, and with the secret of the app that its bytes changed', async () => {
    const { id, state } = await refused();
    const without = await hookproof(['explain', '--delivery', id], { env: state });
    expect(without.code).toBe(1);
    expect(without.stdout).toMatch(
      /^app_verification: The request was correct, and the app refused/,
    );
    expect(without.stdout).toContain('Add --secret with the secret of the app');
    const given = ['explain', '--delivery', id, '--secret', SECRET];
    const { stdout } = await hookproof(given, { env: state });
    expect(stdout).toContain('The secret that you gave accepts the sent bytes.');
    const last = ['explain', '--delivery', 'last', '--secret', SECRET];
    expect((await hookproof(last, { env: state })).stdout).toBe(stdout);
    expect(stdout).toMatch(/^ {2}Express +app\.post/m);
    expect(stdout).not.toContain(SECRET);
  });

  test('names a delivery fault, also with the secret of the app', async () => {
    const { id, state } = await refused({ deliveryFaults: [{ name: 'wrong-secret' }] });
    const given = ['explain', '--delivery', id, '--secret', SECRET];
    expect(await hookproof(given, { env: state })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^delivery_fault: [^]*Nothing to fix in the app\./),
    });
  });

  test('says that the app has another secret', async () => {
    const { id, state } = await refused();
    const given = ['explain', '--delivery', id, '--secret', 'whsec_another', '--json'];
    const { code, stdout } = await hookproof(given, { env: state });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      cause: 'other_secret',
      evidence: [
        expect.stringContaining('the secret of the endpoint http://'),
        expect.any(String),
        'The app has whsec_… (13 characters), the endpoint whsec_…ZXJ5 (34 characters).',
      ],
    });
    const unknown = await hookproof(['explain', '--delivery', 'dlv_x'], { env: state });
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('got dlv_x: no delivery has this id.'),
    });
  });
});
