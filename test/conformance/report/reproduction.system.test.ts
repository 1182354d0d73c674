import { execFile } from 'node:child_process';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createReceiver } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { nodeHandler } from '@hookproof/receiver/node';
import { createServer } from '@hookproof/server-reference';
import { prepareVector } from '@hookproof/spec/vectors';
import type { HeaderPair, PreparedVector, SignatureVector } from '@hookproof/spec/vectors';
import { describe, expect, onTestFinished, test } from 'vitest';

import { checks } from '@hookproof/conformance';
import type { Check, HttpExchange, Side } from '@hookproof/conformance';

import { sentVectorsOf } from '../../../conformance/src/checks/receiver/signature.ts';
import { VECTOR_FAMILIES } from '../../../conformance/src/checks/receiver/vector-family.ts';
import { headerPairs } from '../../../conformance/src/http/message.ts';
import { showBody } from '../../../conformance/src/http/exchange.ts';
import type { Facts } from '../../../conformance/src/options/facts.ts';
import { planFrom } from '../../../conformance/src/options/plan.ts';
import { reproductionOf } from '../../../conformance/src/report/reproduce/reproduction.ts';
import { digest } from '../../../conformance/src/signing/signer.ts';
import { testWith } from '../../services/local-server.ts';

const SECRET = 'whsec_7hJmKx2QpLw9';
const UNKNOWN: Facts = { keys: {}, fixtures: {} };

/** What a real shell prints for the lines, pasted together. */
async function pasted(lines: readonly string[], env: Record<string, string>): Promise<string> {
  const script = lines.join('\n').replaceAll('curl -i', 'curl -sS -i');
  const { PATH = '' } = process.env;
  const shell = promisify(execFile)('bash', ['-s'], { env: { PATH, ...env } });
  shell.child.stdin?.end(script);
  return (await shell).stdout;
}

function checkOf(side: Side): Check {
  return checks.find((check) => check.side === side) ?? expect.fail(`no check of ${side}`);
}

/** The URL of a real receiver on this machine. */
async function startReceiver(): Promise<string> {
  const receiver = createReceiver({ secrets: [SECRET], store: memoryStore(), handlers: {} });
  await receiver.start();
  const server = createHttpServer(nodeHandler(receiver));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await receiver.close();
  });
  const { port }: AddressInfo = Object(server.address());
  return `http://127.0.0.1:${port}/hooks?tenant=a&b='c'`;
}

interface Arrived {
  readonly path: string;
  readonly headers: readonly HeaderPair[];
  readonly body: Buffer;
}

/** The URL of a server that accepts everything. */
async function startListener(listener: (arrived: Arrived) => void): Promise<string> {
  const server = createHttpServer((request, response) => {
    void request.toArray().then((chunks) => {
      const headers = headerPairs(request.rawHeaders);
      listener({ path: request.url ?? '', headers, body: Buffer.concat(chunks) });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port }: AddressInfo = Object(server.address());
  return `http://127.0.0.1:${port}/`;
}

function preparedAt(vector: SignatureVector, now: number): PreparedVector {
  return prepareVector(vector, { secret: SECRET, now });
}

/** A delivery as the suite made it an hour ago. */
function delivery(url: string, offset: number, change: (digest: string) => string): HttpExchange {
  const then = Math.floor(Date.now() / 1000) - 3_600;
  const id = 'whev_it_s';
  const body = JSON.stringify({
    id,
    type: 'run.created',
    apiVersion: '2026-07-01',
    createdAt: new Date(then * 1000).toISOString(),
    test: true,
    data: { run: { id: 'exec_1', note: `it's "50 %" of $HOME, \`id\` and é` } },
  });
  const timestamp = String(then + offset);
  return {
    sentBy: 'suite',
    request: {
      method: 'POST',
      url,
      headers: [
        ['content-type', 'application/json'],
        ['webhook-id', id],
        ['webhook-timestamp', timestamp],
        ['webhook-signature', `v1,${change(digest(Buffer.from(SECRET), { id, timestamp, body }))}`],
      ],
      body,
    },
    response: { status: 500, headers: [['Date', new Date(then * 1000).toUTCString()]], body: null },
  };
}

/** Sends a request to the control interface as the suite does. */
async function step(url: string, body: object, token: string): Promise<HttpExchange> {
  const text = JSON.stringify(body);
  const headers = [['content-type', 'application/json']] as const;
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...Object.fromEntries(headers), authorization: `Bearer ${token}` },
    body: text,
  });
  return {
    sentBy: 'suite',
    request: {
      method: 'POST',
      url,
      headers: [['authorization', 'Bearer $HOOKPROOF_CONTROL_TOKEN'], ...headers],
      body: text,
    },
    response: { status: response.status, headers: [], body: await response.text() },
  };
}

describe('the lines of a delivery', () => {
  test.each([
    ['a valid one is signed for the current time and accepted', 0, 'HTTP/1.1 2'],
    ['one near the edge keeps its distance and is accepted', -290, 'HTTP/1.1 2'],
    ['one beyond the edge keeps its distance and is refused', 310, 'HTTP/1.1 4'],
  ])('%s by a real receiver', async (_, offset, start) => {
    const url = await startReceiver();
    const plan = planFrom({ receiver: { url, secret: SECRET } });
    const exchange = delivery(plan.receiver?.url ?? '', offset, (hex) => hex);
    const failure = { check: checkOf('receiver'), exchange, steps: [] };
    const { commands, note } = reproductionOf(failure, plan, UNKNOWN);
    expect(note).toBeNull();
    expect(commands.join('\n')).not.toContain(SECRET);
    expect(await pasted(commands, { WEBHOOK_SECRET: SECRET })).toContain(start);
  });

  test('one with a wrong signature has the current time, and says that its signature is of the run', async () => {
    const url = await startReceiver();
    const plan = planFrom({ receiver: { url, secret: SECRET } });
    const exchange = delivery(url, 0, (hex) => hex.slice(0, 40));
    const failure = { check: checkOf('receiver'), exchange, steps: [] };
    const { commands, note } = reproductionOf(failure, plan, UNKNOWN);
    expect(note).toContain('belong to the time of the run');
    expect(await pasted(commands, {})).toContain('HTTP/1.1 4');
  });
});

/** What the lines do with Node.js, which would take most of the time for so many. The lines of a delivery start it. */
const HMAC = `node() {
  set -- "$(printf %s "$4" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -r)"
  echo "\${1%% *}"
}`;

describe('the lines of a signature vector', () => {
  const THEN = 1_750_000_000;
  const LATER = THEN + 3_600;
  const vectors = VECTOR_FAMILIES.flatMap(sentVectorsOf);

  const exchangeOf = (vector: SignatureVector, url: string): HttpExchange => {
    const { headers, body } = preparedAt(vector, THEN);
    const date = new Date(THEN * 1000).toUTCString();
    return {
      sentBy: 'suite',
      request: { method: 'POST', url, headers, body: showBody(body, String) },
      response: { status: 204, headers: [['date', date]], body: null },
    };
  };

  testWith('openssl')('send what the suite sent, for the current time or as it was', async () => {
    const arrived = new Map<string, Arrived>();
    const url = await startListener((one) => arrived.set(one.path, one));
    const plan = planFrom({ receiver: { url, secret: SECRET } });
    const printed = vectors.flatMap((vector) => {
      const exchange = exchangeOf(vector, `${url}${vector.id}`);
      const failure = { check: checkOf('receiver'), exchange, steps: [] };
      const { commands, note } = reproductionOf(failure, plan, UNKNOWN);
      return commands.length === 0 ? [] : [{ vector, commands, note }];
    });
    const lines = printed.map(({ commands }) => commands.join('\n'));
    await pasted([`date() { echo ${LATER}; }`, HMAC, ...lines], { WEBHOOK_SECRET: SECRET });

    const wrong = printed.filter(({ vector, note }) => {
      // A delivery of some seconds ago was meant for the current time.
      const { timestampOffset: offset } = vector.recipe;
      const again = preparedAt(vector, LATER - (Math.abs(offset) <= 10 ? offset : 0));
      const before = preparedAt(vector, THEN);
      const got = arrived.get(`/${vector.id}`);
      const own = got?.headers.filter(([name]) => again.headers.some(([sent]) => sent === name));
      // Another digest than that of this delivery is wrong at any time.
      const valid = new Set([again.signed.digest, before.signed.digest]);
      const seen = (pair: HeaderPair | undefined): string | undefined =>
        pair?.[1].trim().replaceAll(/[0-9a-f]{64}/g, (hex) => (valid.has(hex) ? hex : 'wrong'));
      const allowed = note === null ? [again] : [again, before];
      const isSame = own?.every((header, index) =>
        allowed.some(({ headers }) => seen(headers[index]) === seen(header)),
      );
      return (
        isSame !== true || own?.length !== again.headers.length || !got?.body.equals(again.body)
      );
    });
    expect(wrong.map(({ vector }) => vector.id)).toEqual([]);
    expect(printed.length).toBeGreaterThan(vectors.length / 2);
  });
});

describe('the lines of a world', () => {
  test('make a new world, and use its keys and ids in the requests after it', async () => {
    const server = await createServer({ store: { kind: 'memory' } });
    onTestFinished(() => server.close());
    const { baseUrl, controlUrl, controlToken } = server;
    const plan = planFrom({ baseUrl, control: { url: controlUrl, token: controlToken } });
    const made = await step(`${controlUrl}/worlds`, {}, controlToken);
    const world = JSON.parse(made.response?.body ?? '');
    const listener = { worldId: world.id, url: 'http://127.0.0.1:9/x', headers: {} };
    const endpoint = await step(`${controlUrl}/webhook-endpoints`, listener, controlToken);
    const wanted = { worldId: world.id, automationId: world.fixtures.workflowId };
    const run = await step(`${controlUrl}/runs`, wanted, controlToken);
    const runId: string = JSON.parse(run.response?.body ?? '').id;
    const move = await step(
      `${controlUrl}/runs/${runId}/moves`,
      { status: 'running' },
      controlToken,
    );

    // A report shows the names of keys.
    const shown = (made.response?.body ?? '').replace(world.keys.wildcard, '$HOOKPROOF_KEY');
    const created: HttpExchange = { ...made, response: { status: 201, headers: [], body: shown } };
    const usage: HttpExchange = {
      sentBy: 'suite',
      request: {
        method: 'GET',
        url: `${baseUrl}/v1/runs/${runId}/usage`,
        headers: [['authorization', 'Bearer $HOOKPROOF_KEY']],
        body: null,
      },
      response: null,
    };
    const failure = {
      check: checkOf('api'),
      exchange: usage,
      steps: [created, endpoint, run, move],
    };
    const { commands, note } = reproductionOf(failure, plan, UNKNOWN);
    expect(note).toContain('HOOKPROOF_LISTENER');
    for (const id of [world.id, runId, world.fixtures.workflowId]) {
      expect(commands.join('\n')).not.toContain(id);
    }
    const printed = await pasted(commands, {
      HOOKPROOF_CONTROL_TOKEN: controlToken,
      HOOKPROOF_LISTENER: 'http://127.0.0.1:9/mine',
    });
    expect(commands.join('\n')).not.toContain('CREATED_AT');
    expect(printed.match(/HTTP\/1\.1 \d+/g)).toEqual([
      'HTTP/1.1 201',
      'HTTP/1.1 200',
      'HTTP/1.1 200',
    ]);
  });

  test('repeat a request in a loop where the suite sent it several times in a row', async () => {
    const server = await createServer({ store: { kind: 'memory' } });
    onTestFinished(() => server.close());
    const { baseUrl, controlUrl, controlToken } = server;
    const plan = planFrom({ baseUrl, control: { url: controlUrl, token: controlToken } });
    const run = await step(`${controlUrl}/runs`, { output: "a'b" }, controlToken);
    const other = await step(`${controlUrl}/runs`, {}, controlToken);
    const steps = [other, run, run, run, other, other, run];
    const { commands } = reproductionOf(
      { check: checkOf('api'), exchange: null, steps },
      plan,
      UNKNOWN,
    );
    const beginnings = commands.map((line) => line.replace(/curl.*/s, ''));
    expect(beginnings).toEqual(['', 'for i in $(seq 3); do ', 'for i in $(seq 2); do ', '']);
    const printed = await pasted(commands, { HOOKPROOF_CONTROL_TOKEN: controlToken });
    expect(printed.match(/HTTP\/1\.1 201/g)).toHaveLength(7);
  });

  test('of the sender start a run for a listener of the reader', async () => {
    const server = await createServer({ store: { kind: 'memory' } });
    onTestFinished(() => server.close());
    const { baseUrl, controlUrl, controlToken } = server;
    const control = { url: controlUrl, token: controlToken };
    const plan = planFrom({ baseUrl, control, sender: true, allowWrites: true });
    const failure = { check: checkOf('sender'), exchange: null, steps: [] };
    const { commands } = reproductionOf(failure, plan, UNKNOWN);
    const printed = await pasted(commands, {
      HOOKPROOF_CONTROL_TOKEN: controlToken,
      HOOKPROOF_LISTENER: 'http://127.0.0.1:9/mine',
    });
    expect(printed).toContain('"url":"http://127.0.0.1:9/mine"');
    expect(printed).toContain('"status":"running"');
  });

  test('of a sender without a control interface are words', () => {
    const exchange: HttpExchange = {
      sentBy: 'target',
      request: { method: 'POST', url: '/hooks', headers: [], body: '{}' },
      response: { status: 502, headers: [], body: null },
    };
    const plan = planFrom({ baseUrl: 'https://api.example' });
    const failure = { check: checkOf('sender'), exchange, steps: [] };
    expect(reproductionOf(failure, plan, UNKNOWN)).toEqual({
      commands: [],
      note: 'Register a webhook endpoint of your own that responds with 502, start a run, let its status change, and look at what arrives.',
    });
  });

  test('begin with where a key comes from that only the control interface knows', async () => {
    const server = await createServer({ store: { kind: 'memory' } });
    onTestFinished(() => server.close());
    const { baseUrl, controlUrl, controlToken } = server;
    const plan = planFrom({ baseUrl, control: { url: controlUrl, token: controlToken } });
    const source = 'control interface';
    const facts: Facts = { keys: { reviewer: { value: 'x', source } }, fixtures: {} };
    const exchange: HttpExchange = {
      sentBy: 'suite',
      request: {
        method: 'GET',
        url: `${baseUrl}/v1/auth/check`,
        headers: [['authorization', 'Bearer $HOOKPROOF_KEY_REVIEWER']],
        body: null,
      },
      response: null,
    };
    const failure = { check: checkOf('api'), exchange, steps: [] };
    const { commands } = reproductionOf(failure, plan, facts);
    expect(commands).toHaveLength(3);
    const printed = await pasted(commands, { HOOKPROOF_CONTROL_TOKEN: controlToken });
    expect(printed).toContain('HTTP/1.1 200');
    expect(printed).toContain('dataset_review:read');
  });
});
