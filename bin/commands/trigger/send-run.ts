import type { RunSnapshot, RunStatus } from '@hookproof/spec';
import type { Delivery, RunCreation } from '@hookproof/spec/control';

import { outputOf } from './payloads.ts';
import type { Scenario } from '@hookproof/spec/scenarios';
import { A_DAY_MILLISECONDS, isSettled, MAX_STEP_MILLISECONDS } from './sending.ts';
import type { Sending } from './sending.ts';

/** Makes a run of the server do what a scenario says. Each event is sent before the run moves on. */
export async function sendRun(scenario: Scenario, sending: Sending): Promise<void> {
  if (scenario.isTest === true) return sendTests(sending);
  const { control } = sending.target;
  const { statuses, missing } = scenario;
  const [first, ...moves] = statuses;
  const { id } = await createRun(scenario, first, sending);
  await addDeliveries(id, sending);
  for (const [place, status] of moves.entries()) {
    const isMissing = place + 1 === missing;
    if (!scenario.isReversed) await sending.firstAttempts();
    if (isMissing) await holdNext(id, sending);
    const output = status === 'completed' ? { output: outputOf(scenario) } : {};
    await control<RunSnapshot>('POST', `/runs/${id}/moves`, { status, ...output });
    await addDeliveries(id, sending, isMissing);
  }
}

/** The events of the Send test action, one for each endpoint. */
async function sendTests({ target: { control, endpoints }, ...sending }: Sending): Promise<void> {
  for (const { id } of endpoints) {
    const path = `/webhook-endpoints/${id}/test`;
    const { eventId } = await control<{ eventId: string }>('POST', path, {});
    const { data } = await control<{ data: Delivery[] }>('GET', `/deliveries?eventId=${eventId}`);
    sending.sent(data.map((delivery) => delivery.id));
  }
}

async function createRun(
  { automation, statuses, fault, isReversed = false }: Scenario,
  status: RunStatus,
  { target: { control, endpoints } }: Sending,
): Promise<RunSnapshot> {
  const { fixtures } = await control<{ fixtures: Record<string, string> }>('GET', '/world');
  const automationId = fixtures[`${automation}Id`];
  // A number, so that the faults are exhausted and make room for others.
  const deliveries = statuses.length * endpoints.length;
  const deliveryFaults: RunCreation['deliveryFaults'] = [
    ...(fault === undefined ? [] : [{ ...fault, deliveries }]),
    ...(isReversed ? [{ name: 'reorder', deliveries } as const] : []),
  ];
  return control('POST', '/runs', { automationId, status, deliveryFaults });
}

/** Holds the deliveries of the next event back. */
async function holdNext(runId: string, { target, watched, deliveries }: Sending): Promise<void> {
  const areOver = (): boolean => deliveries.every((one) => isSettled(watched.of(one.id)));
  await watched.until(areOver, MAX_STEP_MILLISECONDS);
  await target.control('POST', '/delivery-faults', {
    name: 'delay',
    milliseconds: A_DAY_MILLISECONDS,
    runId,
    deliveries: target.endpoints.length,
  });
}

async function addDeliveries(
  runId: string,
  { target: { control }, sent }: Sending,
  isHeld: boolean = false,
): Promise<void> {
  const { data } = await control<{ data: Delivery[] }>('GET', `/deliveries?runId=${runId}`);
  sent(
    data.map(({ id }) => id),
    isHeld,
  );
}
