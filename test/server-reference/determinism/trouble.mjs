// Runs, deliveries and everything that can go wrong with them, step by step.
const PATHOLOGIES = [
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

/**
 * One step after another, so that no endpoint has two requests under way at the same moment: which of two
 * connections is read first is not the server's to say.
 *
 * @param endpointUrl - answers by a script of its own
 */
export async function makeTrouble({ call, ports }, server, endpointUrl) {
  const headers = { authorization: `Bearer ${server.controlToken}` };
  const control = async (method, path, json) =>
    (await call(method, `/_control${path}`, { headers, ...(json ? { json } : {}) })).body;
  const advance = (milliseconds) => control('POST', '/clock/advance', { milliseconds });
  const { workflowId } = server.world.fixtures;

  const outside = await control('POST', '/webhook-endpoints', { url: endpointUrl });
  const sink = await control('POST', '/sinks', { answers: [{ status: 503 }, { status: 200 }] });
  ports.sink = Number(new URL(sink.url).port);
  const inside = await control('POST', '/webhook-endpoints', { url: sink.url });
  await control('PATCH', `/webhook-endpoints/${inside.id}`, { headers: { 'X-Team': 'blue' } });

  const moved = await control('POST', '/runs', { automationId: workflowId });
  await advance(60_000);
  await control('POST', `/runs/${moved.id}/moves`, { status: 'running' });
  await advance(60_000);
  for (const pathology of PATHOLOGIES) {
    const planted = { ...pathology, endpointId: inside.id };
    await control('POST', '/pathologies', planted);
    const { id } = await control('POST', '/runs', { pathologies: [{ name: pathology.name }] });
    await advance(10_000);
    await control('POST', `/runs/${id}/moves`, { status: 'running' });
    await advance(300_000);
  }
  const course = [
    { status: 'running', afterMilliseconds: 7_000 },
    { status: 'failed', afterMilliseconds: 90_000 },
  ];
  await control('POST', '/runs', { course });
  await advance(3 * 86_400_000);
  await control('POST', `/webhook-endpoints/${outside.id}/test`, {});
  await advance(60_000);

  await sufferFaults(call, control, server);

  const { data: deliveries } = await control('GET', '/deliveries');
  await control('GET', `/deliveries/${deliveries[0].id}`);
  await control('POST', `/deliveries/${deliveries[0].id}/redeliver`, {});
  await advance(1_000);
  await control('POST', '/wait', { for: 'idle' });
  const { data: events } = await control('GET', '/events');
  await control('GET', `/events/${events[0].id}`);
  await control('GET', `/runs/${moved.id}`);
  await control('PATCH', `/sinks/${sink.id}`, { answers: [{ status: 204 }] });
  await control('GET', `/sinks/${sink.id}`);
  for (const path of ['/deliveries', '/sinks', '/pathologies', '/webhook-endpoints', '/clock']) {
    await control('GET', path);
  }
  await control('DELETE', '/pathologies/pathology_1');
  await control('DELETE', '/pathologies');
  await control('DELETE', `/sinks/${sink.id}`);
  await control('DELETE', `/webhook-endpoints/${inside.id}`);

  const world = await control('POST', '/worlds', {});
  await control('GET', '/world');
  const key = await control('POST', '/keys', { worldId: world.id, scope: ['file:read'] });
  await control('DELETE', `/keys/${key.id}`);
  const input = [{ path: 'a.bin', size: 4_096 }];
  await control('POST', '/examples', { worldId: world.id, name: 'added', input });
  await control('GET', '/nowhere');
  await control('POST', '/runs', { unheard: true });
}

/** Half of the calls by the seed, so that another seed strikes others. */
async function sufferFaults(call, control, { world }) {
  const headers = { authorization: `Bearer ${world.keys.wildcard}` };
  await control('PATCH', '/limits', { rateLimit: { requests: 30, windowSeconds: 60 } });
  const match = { operationId: 'listTemplates' };
  await control('POST', '/faults', { match, probability: 0.5, effect: { status: 503 } });
  await control('POST', '/faults', { match, nth: 2, effect: { status: 500 } });
  for (let index = 0; index < 32; index += 1) await call('GET', '/v1/templates', { headers });
  await control('GET', '/faults');
  await control('GET', '/limits');
  await control('DELETE', '/faults/fault_1');
  await control('DELETE', '/faults');
  await control('PATCH', '/limits', { rateLimit: null });
}
