/** The calls of the control interface that the demo makes. */
export interface Control {
  createEndpoint(url: string): Promise<{ readonly id: string; readonly secret: string }>;
  createRun(automationId: string): Promise<{ readonly id: string }>;
  moveRun(runId: string, status: string, output?: unknown): Promise<void>;
  /** Advances the clock. Resolves when everything that became due has been delivered or refused. */
  advance(milliseconds: number): Promise<void>;
  deleteEndpoint(endpointId: string): Promise<void>;
}

export function openControl(controlUrl: string, token: string): Control {
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${controlUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${method} ${path} must get a 2xx, got ${response.status}: ${text}`);
    }
    return JSON.parse(text === '' ? 'null' : text);
  }
  return {
    createEndpoint: (url) => call('POST', '/webhook-endpoints', { url }),
    createRun: (automationId) => call('POST', '/runs', { automationId }),
    moveRun: (runId, status, output) =>
      call('POST', `/runs/${runId}/moves`, output === undefined ? { status } : { status, output }),
    advance: (milliseconds) => call('POST', '/clock/advance', { milliseconds }),
    deleteEndpoint: (endpointId) => call('DELETE', `/webhook-endpoints/${endpointId}`),
  };
}

interface SimulatedRun {
  readonly name: string;
  readonly automation: 'workflow' | 'agent';
  /** The statuses that the run moves to, in order. */
  readonly statuses: readonly string[];
}

/** A run that waits twice, a run of an agent, and a run that fails. */
const RUNS: readonly SimulatedRun[] = [
  {
    name: 'invoice',
    automation: 'workflow',
    statuses: ['running', 'waiting', 'running', 'waiting', 'running', 'finalizing', 'completed'],
  },
  {
    name: 'research',
    automation: 'agent',
    statuses: ['pending', 'running', 'finalizing', 'completed'],
  },
  { name: 'import', automation: 'workflow', statuses: ['running', 'failed'] },
];

/** Less than the delay of a first retry, so that the retries arrive between the deliveries of later events. */
const STEP_MILLISECONDS = 150;

/** More than all retries of a delivery take. */
const RETRIES_MILLISECONDS = 60_000;

/**
 * Creates the runs and moves them in turn, one status each, and advances the clock until each event is delivered.
 * Resolves to their names by run id.
 */
export async function simulateRuns(
  control: Control,
  automations: Readonly<Record<SimulatedRun['automation'], string>>,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const runs: { readonly id: string; readonly statuses: readonly string[] }[] = [];
  for (const { name, automation, statuses } of RUNS) {
    const { id } = await control.createRun(automations[automation]);
    names.set(id, name);
    runs.push({ id, statuses });
  }
  const steps = Math.max(...RUNS.map(({ statuses }) => statuses.length));
  for (let step = 0; step < steps; step += 1) {
    for (const { id, statuses } of runs) {
      const status = statuses[step];
      if (status === undefined) continue;
      await control.moveRun(id, status, status === 'completed' ? { ok: true } : undefined);
    }
    await control.advance(STEP_MILLISECONDS);
  }
  await control.advance(RETRIES_MILLISECONDS);
  return names;
}
