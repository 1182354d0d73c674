// A sender of one run that waits 500 times, and loses one event. Performs the steps of a run of the suite.
import { createHmac } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';

const SECRET = 'whsec_of-a-run-that-waits';
const CANNOT = 69;
const WAITS = 500;
const LOST = 300;
const AT_ONCE = 16;

interface Change {
  readonly from: string;
  readonly to: string;
}

const { HOOKPROOF_STEP: step, HOOKPROOF_URL: url = '' } = process.env;
if (step === 'create-endpoint') {
  process.stdout.write(JSON.stringify({ endpointId: 'endpoint_1', secret: SECRET }));
} else if (step === 'create-run' && !existsSync('sent')) {
  writeFileSync('sent', '');
  await sendAll();
  process.stdout.write(JSON.stringify({ runId: 'run_1' }));
} else process.exitCode = CANNOT;

async function sendAll(): Promise<void> {
  await send(0, null);
  const changes = changesOf('pending', [
    'running',
    ...Array.from({ length: WAITS }, () => ['waiting', 'running']).flat(),
    'completed',
  ]);
  const events = changes.map((change, index) => [index + 1, change] as const);
  const left = events.toSpliced(LOST, 1);
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await send(...next);
  });
  await Promise.all(lanes);
}

function changesOf(first: string, statuses: readonly string[]): readonly Change[] {
  return statuses.map((to, index) => ({ from: statuses[index - 1] ?? first, to }));
}

async function send(index: number, change: Change | null): Promise<void> {
  const createdAt = new Date(Date.UTC(2026, 6, 1) + index).toISOString();
  const status = change?.to ?? 'pending';
  const run = {
    id: 'run_1',
    automationId: 'wf_1',
    type: 'workflow',
    status,
    triggerType: 'api',
    createdAt: '2026-07-01T00:00:00.000Z',
    startedAt: null,
    completedAt: status === 'completed' ? createdAt : null,
  };
  const id = `whev_${index}`;
  const body = JSON.stringify({
    id,
    type: change === null ? 'run.created' : 'run.status_changed',
    apiVersion: '2026-07-01',
    createdAt,
    test: false,
    data: {
      run,
      ...(change === null ? {} : { previousStatus: change.from, currentStatus: change.to }),
    },
  });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const digest = createHmac('sha256', SECRET).update(`${id}.${timestamp}.${body}`).digest('hex');
  await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'waiting-sender/1',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${digest}`,
    },
    body,
  }).catch(() => {});
}
