// A step command of a deployment: performs one step through the deployment's own interface.
// CONTROL_URL and CONTROL_TOKEN name that interface. WITHOUT_IDS: it reports no ids of runs that send events.
// IGNORES_ORIGIN: every run that it creates is an ordinary one.

const EXIT_CODE_CANNOT = 69;
const { env } = process;

async function call(method: string, path: string, body?: object): Promise<Map<string, unknown>> {
  const response = await fetch(`${env['CONTROL_URL']}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${env['CONTROL_TOKEN']}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status === 409) cannot(text);
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return new Map(Object.entries(text === '' ? {} : JSON.parse(text)));
}

function cannot(reason: string): never {
  process.stderr.write(reason);
  process.exit(EXIT_CODE_CANNOT);
}

function report(values: object): void {
  process.stdout.write(`${JSON.stringify(values)}\n`);
}

const steps: Readonly<Record<string, () => Promise<unknown>>> = {
  async 'create-endpoint'() {
    const headers: unknown = JSON.parse(env['HOOKPROOF_HEADERS'] ?? '{}');
    const made = await call('POST', '/webhook-endpoints', { url: env['HOOKPROOF_URL'], headers });
    report({ endpointId: made.get('id'), secret: made.get('secret'), headers: true });
  },
  async 'create-run'() {
    const world = await call('GET', '/world');
    const fixtures = new Map(Object.entries(Object(world.get('fixtures'))));
    const ignored = env['IGNORES_ORIGIN'] !== undefined;
    const origin = ignored ? 'top-level' : env['HOOKPROOF_RUN_ORIGIN'];
    const automationId = fixtures.get(`${env['HOOKPROOF_RUN_TYPE']}Id`);
    const run = await call('POST', '/runs', { automationId, origin });
    if (env['WITHOUT_IDS'] === undefined || origin !== 'top-level')
      report({ runId: run.get('id'), ...(ignored ? {} : { origin }) });
  },
  'move-run': () =>
    call('POST', `/runs/${env['HOOKPROOF_RUN_ID']}/moves`, { status: env['HOOKPROOF_STATUS'] }),
  async 'send-test'() {
    const sent = await call('POST', `/webhook-endpoints/${env['HOOKPROOF_ENDPOINT_ID']}/test`);
    report({ eventId: sent.get('eventId') });
  },
  async redeliver() {
    const query = new URLSearchParams({
      endpointId: env['HOOKPROOF_ENDPOINT_ID'] ?? '',
      eventId: env['HOOKPROOF_EVENT_ID'] ?? '',
    });
    const found = (await call('GET', `/deliveries?${query.toString()}`)).get('data');
    const id = Array.isArray(found) ? new Map(Object.entries(Object(found[0]))).get('id') : '';
    await call('POST', `/deliveries/${String(id)}/redeliver`);
  },
  'delete-endpoint': () => call('DELETE', `/webhook-endpoints/${env['HOOKPROOF_ENDPOINT_ID']}`),
};

const step = env['HOOKPROOF_STEP'] ?? '';
await (steps[step] ?? (() => cannot(`no step ${step}`)))();
