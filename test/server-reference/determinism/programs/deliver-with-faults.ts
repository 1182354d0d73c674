// Runs, deliveries and every fault that the control interface injects, step by step.
import type { ReferenceServer } from '@hookproof/server-reference';

import type { Call, Transcript } from './transcript.ts';

const DELIVERY_FAULTS = [
  { name: 'duplicate', copies: 2, apartMilliseconds: 1_000 },
  { name: 'reorder', holdMilliseconds: 2_000 },
  { name: 'delay' },
  { name: 'drop-then-redeliver' },
  { name: 'stale-timestamp' },
  { name: 'future-timestamp' },
  { name: 'wrong-secret' },
  { name: 'tampered-body' },
  { name: 'truncated-body' },
  { name: 'slow-drip' },
];

/** The members of a control response that the script uses: of a resource, or of a list. */
interface ControlBody {
  readonly id: string;
  readonly url: string;
  readonly data: readonly { readonly id: string }[];
}

/** Calls the control interface; returns the parsed response. */
type Control = (method: string, path: string, json?: unknown) => Promise<ControlBody>;

function controlOf(call: Call, server: ReferenceServer): Control {
  const headers = { authorization: `Bearer ${server.controlToken}` };
  return async (method, path, json) => {
    const { body } = await call(method, `/_control${path}`, {
      headers,
      ...(json === undefined ? {} : { json }),
    });
    return body as unknown as ControlBody;
  };
}

/**
 * One step after another, so that no endpoint has two requests in progress at the same moment: the server
 * does not determine which of two connections is read first.
 *
 * @param endpointUrl - responds by its own script
 */
export async function deliverWithFaults(
  { call }: Transcript,
  server: ReferenceServer,
  endpointUrl: string,
): Promise<void> {
  const control = controlOf(call, server);
  const advance = (milliseconds: number): Promise<unknown> =>
    control('POST', '/clock/advance', { milliseconds });
  const { workflowId } = server.world.fixtures;

  const endpoint = await control('POST', '/webhook-endpoints', { url: endpointUrl });
  await control('PATCH', `/webhook-endpoints/${endpoint.id}`, { headers: { 'X-Team': 'blue' } });

  const moved = await control('POST', '/runs', { automationId: workflowId });
  await advance(60_000);
  await control('POST', `/runs/${moved.id}/moves`, { status: 'running' });
  await advance(60_000);
  for (const deliveryFault of DELIVERY_FAULTS) {
    await control('POST', '/delivery-faults', { ...deliveryFault, endpointId: endpoint.id });
    const { id } = await control('POST', '/runs', {
      deliveryFaults: [{ name: deliveryFault.name }],
    });
    await advance(10_000);
    await control('POST', `/runs/${id}/moves`, { status: 'running' });
    await advance(300_000);
  }
  const scheduledTransitions = [
    { status: 'running', afterMilliseconds: 7_000 },
    { status: 'failed', afterMilliseconds: 90_000 },
  ];
  await control('POST', '/runs', { scheduledTransitions });
  await advance(3 * 86_400_000);
  await control('POST', `/webhook-endpoints/${endpoint.id}/test`, {});
  await advance(60_000);

  await hitApiFaults(call, control, server);
  await readDeliveries(control, advance);
  await control('GET', `/runs/${moved.id}`);
  await control('GET', `/webhook-endpoints/${endpoint.id}`);
  const requests = await control('GET', '/requests?order=newest');
  await control('GET', `/requests/${requests.data[0]?.id}`);
  const payload = JSON.stringify({ id: 'whev_4711', type: 'run.archived' });
  await control('POST', '/events', { payload });
  await advance(60_000);
  await control('POST', '/scenarios', { scenario: 'completed' });
  await advance(60_000);
  for (const path of [
    '/runs',
    '/keys',
    '/requests',
    '/deliveries',
    '/delivery-rows',
    '/delivery-faults',
    '/webhook-endpoints',
    '/clock',
  ]) {
    await control('GET', path);
  }
  await control('DELETE', '/delivery-faults/delivery_fault_1');
  await control('DELETE', '/faults');
  await control('DELETE', `/webhook-endpoints/${endpoint.id}`);
  await changeWorlds(control);
}

async function readDeliveries(
  control: Control,
  advance: (milliseconds: number) => Promise<unknown>,
): Promise<void> {
  const deliveries = await control('GET', '/deliveries');
  const deliveryId = deliveries.data[0]?.id;
  await control('GET', `/deliveries/${deliveryId}`);
  await control('GET', `/deliveries/${deliveryId}/attempts/1`);
  await control('POST', `/deliveries/${deliveryId}/redeliver`, {});
  await advance(1_000);
  await control('POST', '/wait', { for: 'idle' });
  await control('GET', '/events');
}

async function changeWorlds(control: Control): Promise<void> {
  const { id: worldId } = await control('POST', '/worlds', {});
  await control('GET', '/world');
  const key = await control('POST', '/keys', { worldId, scope: ['file:read'] });
  await control('DELETE', `/keys/${key.id}`);
  await control('GET', '/worlds');
  await control('GET', `/world?worldId=${worldId}`);
  await control('DELETE', `/worlds/${worldId}`);
  await control('GET', '/nowhere');
  await control('POST', '/runs', { unheard: true });
}

/** The seed chooses half of the calls, so that another seed chooses others. */
async function hitApiFaults(
  call: Call,
  control: Control,
  { world }: ReferenceServer,
): Promise<void> {
  const headers = { authorization: `Bearer ${world.keys.wildcard}` };
  await control('PATCH', '/limits', { rateLimit: { requests: 30, windowSeconds: 60 } });
  const match = { operationId: 'listTemplates' };
  await control('POST', '/api-faults', { match, probability: 0.5, effect: { status: 503 } });
  await control('POST', '/api-faults', { match, nth: 2, effect: { status: 500 } });
  for (let index = 0; index < 32; index += 1) await call('GET', '/v1/templates', { headers });
  await control('GET', '/api-faults');
  await control('GET', '/limits');
  await control('DELETE', '/api-faults/fault_1');
  await control('DELETE', '/api-faults/fault_2');
  await control('PATCH', '/limits', { rateLimit: null });
}
