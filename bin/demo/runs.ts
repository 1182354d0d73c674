/** The calls of the control interface that the demo makes. */
export interface Control {
  createEndpoint(url: string): Promise<{ readonly id: string; readonly secret: string }>;
  createRun(automationId: string): Promise<{ readonly id: string }>;
  moveRun(runId: string, status: string, output?: unknown): Promise<void>;
  /** Resolves when each delivery to the endpoint has got a 2xx. */
  allDelivered(endpointId: string): Promise<void>;
  deleteEndpoint(endpointId: string): Promise<void>;
}

/** Bounds a delivery that never succeeds: the retries of a busy machine take a few seconds. */
const MAX_WAIT_MILLISECONDS = 30_000;

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
    allDelivered: async (endpointId) => {
      const path = `/deliveries?endpointId=${endpointId}`;
      const { data } = await call<{ data: { id: string }[] }>('GET', path);
      for (const { id } of data) {
        const delivered = { for: 'delivery', id, status: 'delivered' };
        await call('POST', '/wait', { ...delivered, timeoutMilliseconds: MAX_WAIT_MILLISECONDS });
      }
    },
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

/** Creates the runs and moves them in turn, one status each. Resolves to their names by run id. */
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
  }
  return names;
}
