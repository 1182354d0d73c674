/** The few calls of the control interface that the demo makes. */
export interface Control {
  createEndpoint(url: string): Promise<{ readonly id: string; readonly secret: string }>;
  createRun(automationId: string): Promise<{ readonly id: string }>;
  moveRun(runId: string, status: string, output?: unknown): Promise<void>;
  /** Resolves when every delivery to the endpoint was answered 2xx. */
  allDelivered(endpointId: string): Promise<void>;
  deleteEndpoint(endpointId: string): Promise<void>;
}

export function openControl(controlUrl: string, token: string): Control {
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${controlUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text === '' ? 'null' : text);
  }
  return {
    createEndpoint: (url) => call('POST', '/webhook-endpoints', { url }),
    createRun: (automationId) => call('POST', '/runs', { automationId }),
    moveRun: (runId, status, output) =>
      call('POST', `/runs/${runId}/moves`, output === undefined ? { status } : { status, output }),
    allDelivered: async (endpointId) => {
      const list = await call<{ data: { id: string }[] }>(
        'GET',
        `/deliveries?endpointId=${endpointId}`,
      );
      for (const { id } of list.data) {
        const timeoutMilliseconds = 30_000;
        await call('POST', '/wait', {
          for: 'delivery',
          id,
          status: 'delivered',
          timeoutMilliseconds,
        });
      }
    },
    deleteEndpoint: (endpointId) => call('DELETE', `/webhook-endpoints/${endpointId}`),
  };
}
