import type { Check } from '../../check-kit/check.ts';
import { CouldNotRun, Inconclusive, NotApplicable } from '../../verdict/findings.ts';
import { absence, missingRetry } from './absence.ts';
import { about, isCreated } from './arrivals.ts';
import { expectIn, sender, showingArrivals } from './sender-check.ts';
import type { Expect } from './sender-check.ts';
import { endpointsOf } from './scenes/endpoints.ts';
import type { ObservedEndpoint } from './scenes/endpoints.ts';
import { pairOf } from './scenes/pair.ts';
import { responsesOf } from './scenes/responses.ts';
import { valueOf } from './scenes/scene.ts';
import type { TenantScene } from './scenes/scene.ts';

/** Which endpoint receives which events. The window ends when the later events of other endpoints have arrived. */
export const senderEndpointChecks: readonly Check[] = [
  sender.check({
    name: 'endpoint.tenant-isolated',
    requirements: ['webhook-event.tenant-isolation', 'webhook-event.emitted-for-run-lifecycle'],
    title: 'an endpoint receives no event of another tenant',
    async run(context) {
      const endpoints = Object.values(await endpointsOf(context)).flat();
      const responses = await responsesOf(context);
      const { otherTenant } = responses;
      const tenants: readonly TenantScene[] = [
        ...endpoints.map(asTenant),
        responses,
        ...(otherTenant === null ? [] : [otherTenant]),
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
    requirements: ['webhook-event.every-endpoint'],
    title: 'each endpoint of a tenant receives the events of its runs',
    async run(context) {
      const { refusing, busy, runs } = await pairOf(context);
      for (const [which, scene] of Object.entries({ first: refusing, second: busy })) {
        const { deliveries, endpoint } = scene;
        const silent = runs.filter((run) => !about(deliveries, run).some(isCreated));
        if (silent.length === 0) continue;
        const ids = silent.map(({ id }) => id).join(', ');
        throw absence(scene, `run.created of ${ids} at ${endpoint.url}, the ${which} endpoint`);
      }
    },
  }),
  sender.check({
    name: 'endpoint.retried-apart',
    requirements: ['delivery.retry.5xx', 'webhook-event.every-endpoint'],
    title:
      'retries an event at an endpoint that was busy, while another one has refused it for good',
    async run(context) {
      const { busy, notRetried } = await pairOf(context);
      if (busy.deliveries.length === 0) {
        throw new Inconclusive('Cannot judge: no event reached the second endpoint.');
      }
      const firsts = notRetried.flatMap(([first]) => first ?? []);
      const [first] = firsts;
      if (first === undefined) return;
      await showingArrivals(busy.deliveries, context, () => {
        const expected = `a further attempt of ${String(first.event['id'])} at ${busy.endpoint.url}`;
        throw missingRetry(busy, firsts, expected);
      });
    },
  }),
  sender.check({
    name: 'endpoint.query-kept',
    requirements: ['delivery.endpoint.query'],
    title: 'a delivery has the query of the URL of its endpoint',
    // The endpoint of a recording has no query.
    needs: ['driver', 'control'],
    async run(context) {
      const { unchanged } = await endpointsOf(context);
      const scene = unchanged.map((one) => one.scene).find(({ query }) => query !== '');
      if (scene === undefined) {
        throw new NotApplicable('the deployment refuses an endpoint whose URL has a query');
      }
      const { deliveries, endpoint, query } = scene;
      if (deliveries.length === 0) throw absence(scene, `an event at ${endpoint.url}`);
      const expect = expectIn(context);
      for (const delivery of deliveries) {
        const { search } = new URL(delivery.url, endpoint.url);
        expect(delivery, parametersOf(search) === parametersOf(query), query, search);
      }
    },
  }),
  sender.check({
    name: 'endpoint.disabled-silent',
    requirements: ['delivery.endpoint.disabled'],
    title: 'a disabled endpoint receives no later event',
    async run(context) {
      const { disabled, unchanged } = await endpointsOf(context);
      for (const one of disabled) expectSilenceAfter(one, unchanged, expectIn(context));
    },
  }),
  sender.check({
    name: 'endpoint.deleted-silent',
    requirements: ['delivery.endpoint.deleted'],
    title: 'a deleted endpoint receives no later event',
    async run(context) {
      const { deleted, unchanged } = await endpointsOf(context);
      for (const one of deleted) expectSilenceAfter(one, unchanged, expectIn(context));
    },
  }),
];

/** A query may be escaped in another way. */
function parametersOf(query: string): string {
  return new URLSearchParams(query).toString();
}

function asTenant({ scene, tenantId, before, after }: ObservedEndpoint): TenantScene {
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

/** Throws unless an endpoint received events of its first run only, while others received events of both. */
function expectSilenceAfter(
  { scene, before, after, change }: ObservedEndpoint,
  others: readonly ObservedEndpoint[],
  expect: Expect,
): void {
  valueOf(change);
  for (const delivery of about(scene.deliveries, after)) {
    expect(delivery, false, `no event of ${after.id}`, delivery.event['type']);
  }
  const isDecided =
    about(scene.deliveries, before).length > 0 &&
    others.every((other) => about(other.scene.deliveries, other.after).length > 0);
  if (!isDecided) throw new Inconclusive('Cannot judge: events did not arrive in time.');
}
