import type { Check } from '../../check-kit/check.ts';
import { CouldNotRun, Inconclusive } from '../../verdict/findings.ts';
import { absence } from './absence.ts';
import { about, isCreated } from './arrivals.ts';
import { expectIn, sender } from './sender-check.ts';
import type { Expect } from './sender-check.ts';
import { neighborsOf } from './scenes/neighbors.ts';
import type { Neighbor } from './scenes/neighbors.ts';
import { pairOf } from './scenes/pair.ts';
import { responsesOf } from './scenes/responses.ts';
import { valueOf } from './scenes/scene.ts';
import type { TenantScene } from './scenes/scene.ts';

/** Which endpoint hears what. The window ends when the later events of other endpoints have arrived. */
export const senderNeighborChecks: readonly Check[] = [
  sender.check({
    name: 'endpoint.tenant-isolated',
    requirements: ['webhook-event.tenant-isolation', 'webhook-event.emitted-for-run-lifecycle'],
    title: 'an endpoint receives no event of another tenant',
    async run(context) {
      const neighbors = Object.values(await neighborsOf(context)).flat();
      const responses = await responsesOf(context);
      const { bystander } = responses;
      const tenants: readonly TenantScene[] = [
        ...neighbors.map(asTenant),
        responses,
        ...(bystander === null ? [] : [bystander]),
      ];
      const pairs = tenants.flatMap((one) => tenants.map((other) => [one, other] as const));
      const foreign = pairs.filter(([one, other]) => areForeign(one, other));
      if (foreign.length === 0) {
        throw new CouldNotRun('the endpoints are of one tenant', 'use a control interface');
      }
      for (const [one, other] of foreign) expectSilence(one, other, expectIn(context));
    },
  }),
  sender.check({
    name: 'endpoint.each-receives',
    requirements: ['webhook-event.created.sent', 'webhook-event.emitted-for-run-lifecycle'],
    title: 'each endpoint of a tenant receives the events of its runs',
    async run(context) {
      const { scenes, runs } = await pairOf(context);
      for (const [index, scene] of scenes.entries()) {
        const { deliveries, endpoint } = scene;
        const silent = runs.filter((run) => !about(deliveries, run).some(isCreated));
        if (silent.length === 0) continue;
        const which = index === 0 ? 'first' : 'second';
        const ids = silent.map(({ id }) => id).join(', ');
        throw absence(scene, `run.created of ${ids} at ${endpoint.url}, the ${which} endpoint`);
      }
    },
  }),
  sender.check({
    name: 'endpoint.disabled-silent',
    requirements: ['delivery.endpoint.disabled'],
    title: 'a disabled endpoint receives no later event',
    async run(context) {
      const { disabled, remains } = await neighborsOf(context);
      for (const one of disabled) expectSilenceAfter(one, remains, expectIn(context));
    },
  }),
  sender.check({
    name: 'endpoint.deleted-silent',
    requirements: ['delivery.endpoint.deleted'],
    title: 'a deleted endpoint receives no later event',
    async run(context) {
      const { deleted, remains } = await neighborsOf(context);
      for (const one of deleted) expectSilenceAfter(one, remains, expectIn(context));
    },
  }),
];

function asTenant({ scene, tenantId, before, after }: Neighbor): TenantScene {
  return { ...scene, tenantId, runs: [before, after] };
}

function areForeign(one: TenantScene, other: TenantScene): boolean {
  return one.tenantId !== null && other.tenantId !== null && one.tenantId !== other.tenantId;
}

function expectSilence({ deliveries }: TenantScene, { runs }: TenantScene, expect: Expect): void {
  for (const run of runs) {
    for (const delivery of about(deliveries, run)) {
      expect(delivery, false, 'no event of another tenant', delivery.event['type']);
    }
  }
}

/** Throws unless an endpoint heard of its first run only, while others heard of both. */
function expectSilenceAfter(
  { scene, before, after, change }: Neighbor,
  others: readonly Neighbor[],
  expect: Expect,
): void {
  valueOf(change);
  for (const delivery of about(scene.deliveries, after)) {
    expect(delivery, false, `no event of ${after.id}`, delivery.event['type']);
  }
  const isHeard =
    about(scene.deliveries, before).length > 0 &&
    others.every((other) => about(other.scene.deliveries, other.after).length > 0);
  if (!isHeard) throw new Inconclusive('Cannot judge: events did not arrive in time.');
}
