import type { ControlClient } from '@hookproof/conformance';
import { listControlOperations, loadControl } from '@hookproof/spec/control';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';

import { HttpControlClient } from '../../conformance/src/clients/http-control-client.ts';
import { Redactor } from '../../conformance/src/redaction/redactor.ts';
import type { Outgoing } from '../../conformance/src/http/message.ts';

const document = loadControl();
const operations = listControlOperations(document);
const ajv = new Ajv2020({ strict: false });
ajv.addSchema(document, 'control', false, false);

type Call = (client: ControlClient) => Promise<unknown>;

// Every method of the client with all of its options.
const CALLS: Readonly<Record<keyof ControlClient, Call>> = {
  world: (client) => client.world(),
  createWorld: (client) => client.createWorld('x'),
  createSharedWorld: (client) => client.createSharedWorld(),
  worlds: (client) => client.worlds(),
  deleteWorld: (client) => client.deleteWorld('x'),
  createRun: (client) =>
    client.createRun({
      worldId: 'x',
      automationId: 'wf_x',
      origin: 'evaluation',
      triggerType: 'api',
      status: 'running',
      output: [1],
    }),
  run: (client) => client.run('x'),
  moveRun: (client) => client.moveRun('x', { status: 'running', output: null }),
  createEndpoint: (client) =>
    client.createEndpoint({ worldId: 'x', url: 'http://x/', headers: { a: 'b' } }),
  updateEndpoint: (client) =>
    client.updateEndpoint('x', { enabled: false, url: 'http://x/', headers: { a: 'b' } }),
  endpoints: (client) => client.endpoints(),
  deleteEndpoint: (client) => client.deleteEndpoint('x'),
  sendTest: (client) => client.sendTest('x'),
  deliveries: (client) => client.deliveries({ runId: 'x', endpointId: 'x', eventId: 'x' }),
  redeliver: (client) => client.redeliver('x'),
  clock: (client) => client.clock(),
  advanceClock: (client) => client.advanceClock(1),
  limits: (client) => client.limits(),
  changeLimits: (client) =>
    client.changeLimits({
      rateLimit: null,
      accounting: 'unavailable',
      expiresInMilliseconds: 1,
    }),
  injectFault: (client) =>
    client.injectFault({ tenantId: 'x', method: 'GET', status: 500, expiresInMilliseconds: 1 }),
  faults: (client) => client.faults(),
  removeFault: (client) => client.removeFault('x'),
  waitForIdle: (client) => client.waitForIdle(1),
};

test('x-suite marks the operations that the suite calls, and which of them are optional', async () => {
  const called: Record<string, string> = {};
  for (const call of Object.values(CALLS)) {
    const { operation, suite } = await callNothing(call);
    called[operation.operationId] = suite;
  }
  const marked = operations.flatMap(({ operationId, suite }) =>
    suite === null ? [] : [[operationId, suite]],
  );
  expect(called).toEqual(Object.fromEntries(marked));
});

test.each(Object.entries(CALLS))(
  'the body that the suite sends to %s matches control.yaml',
  async (_name, call) => {
    const { operation, outgoing } = await callNothing(call);
    const query = operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    expect(query).toEqual(expect.arrayContaining([...new URL(outgoing.url).searchParams.keys()]));
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (outgoing.body === null) {
      expect(operation.requestBody?.required).toBeUndefined();
    } else {
      const text = JSON.stringify(schema).replaceAll('"#/', '"control#/');
      const validate = ajv.compile(JSON.parse(text));
      validate(JSON.parse(Buffer.from(outgoing.body).toString()));
      expect(validate.errors).toBeNull();
    }
  },
);

/** Calls a control interface that has no operations. */
async function callNothing(call: Call) {
  const sent: Outgoing[] = [];
  const session = {
    async send(_channel: string, outgoing: Outgoing) {
      sent.push(outgoing);
      return { status: 404, headers: [], bytes: new Uint8Array() };
    },
    refusals: [],
    used: new Set<never>(),
    waitedMilliseconds: 0,
    wait: () => Promise.resolve(),
    signal: new AbortController().signal,
    close: async () => {},
  };
  const client = new HttpControlClient({ url: 'http://c', token: 'x' }, session, new Redactor());
  const code = await call(client).then(
    () => expect.unreachable(),
    (error: unknown) => Object(error).code,
  );
  const [outgoing, ...others] = sent;
  // Without an optional operation, the suite does something else or leaves its checks out.
  const suite = code === 'not_applicable' || others.length > 0 ? 'optional' : 'required';
  if (outgoing === undefined) return expect.unreachable();
  const operation = operations.find(
    ({ method, path }) =>
      method === outgoing.method &&
      new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(new URL(outgoing.url).pathname),
  );
  return { operation: operation ?? expect.unreachable(outgoing.url), outgoing, suite };
}
