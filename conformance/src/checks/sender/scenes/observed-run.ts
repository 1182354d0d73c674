import type { RunStatus } from '@hookproof/spec';

import type { ControlledRun } from '../../../clients/control-client.ts';
import type { DrivenEndpoint } from '../../../driver/sender-driver.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import { about, isChange } from '../arrivals.ts';
import type { PlannedRun } from './plans.ts';
import { mapConcurrently, settle } from './scene.ts';

/** A run, and what is known of it. */
export interface ObservedRun extends PlannedRun {
  readonly run: ControlledRun;
  /** The statuses that it had after its creation, as far as the driver knows: fewer than planned after a refusal. */
  readonly statuses: readonly RunStatus[];
}

/** "a workflow run of trigger api" */
export function wordsOf({ type, triggerType = 'api' }: PlannedRun['wanted']): string {
  return `${type === 'agent' ? 'an agent' : 'a workflow'} run of trigger ${triggerType}`;
}

/** A run that was created, and the plan without what the driver could not give it. */
interface CreatedRun extends PlannedRun {
  readonly run: ControlledRun;
}

/** Creates a run, without an output when the driver cannot give it one. */
export async function createPlanned(driven: DrivenEndpoint, plan: PlannedRun): Promise<CreatedRun> {
  const { wanted } = plan;
  const [run, error] = await settle(driven.createRun(wanted));
  if (run !== undefined) return { ...plan, run };
  const { output, ...rest } = wanted;
  if (!(error instanceof CouldNotRun) || output === undefined) throw error;
  return { ...plan, wanted: rest, run: await driven.createRun(rest) };
}

/**
 * Moves a run along its path, as far as that is possible. A run that begins in `created` enters the queue before it
 * starts: it is moved, or moves by itself.
 */
export async function followPath(
  driven: DrivenEndpoint,
  created: CreatedRun,
): Promise<ObservedRun> {
  const { run, path } = created;
  const isBeforeQueue = run.status === 'created' && path[0] === 'running';
  const whole: readonly RunStatus[] = isBeforeQueue ? ['pending', ...path] : path;
  const [statuses] = await settle(driven.move(run, ...whole));
  if (statuses !== undefined || !isBeforeQueue) return { ...created, statuses: statuses ?? [] };
  await driven.wait(() => about(driven.listener.deliveries, run).some(isChange));
  const [later] = await settle(driven.move(run, ...path));
  return { ...created, statuses: later ?? [] };
}

/** All runs are created before the first one moves, so that no response to a delivery can depend on the order. */
export async function observePlanned(
  driven: DrivenEndpoint,
  plans: readonly PlannedRun[],
): Promise<readonly [runs: readonly ObservedRun[], refusals: readonly Error[]]> {
  const planned = await mapConcurrently(plans, (plan) => settle(createPlanned(driven, plan)));
  // A driver that has no run of a named trigger may have runs of others: triggers are not limited to those named.
  const isMissing = (index: number): boolean => planned[index]?.[1] instanceof CouldNotRun;
  const unnamed = plans.filter((_plan, index) => isMissing(index)).map(withoutTrigger);
  const others = await mapConcurrently(unnamed, (plan) => settle(createPlanned(driven, plan)));
  const created = [...planned, ...others];
  const runs = created.flatMap(([run]): CreatedRun[] => (run === undefined ? [] : [run]));
  const refusals = created.flatMap(([, error]) => error ?? []);
  return [await mapConcurrently(runs, (run) => followPath(driven, run)), refusals];
}

function withoutTrigger(plan: PlannedRun): PlannedRun {
  const { triggerType, ...wanted } = plan.wanted;
  return triggerType === undefined ? plan : { ...plan, wanted };
}
