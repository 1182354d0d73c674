import type { Check, CheckContext } from '../check-kit/check.ts';
import type { ApiClient } from '../clients/api-client.ts';
import type { World } from '../clients/control-client.ts';
import { ownContext, ownSession } from '../context/context.ts';
import type { KnownTarget, RunContext } from '../context/context.ts';
import type { Recording } from '../driver/recording.ts';
import type { Incoming } from '../http/message.ts';
import { worldFacts } from '../context/world-facts.ts';
import { factsFrom } from '../options/facts.ts';
import { optionRemedy } from '../options/remedies.ts';
import type { Facts, FixtureName } from '../options/facts.ts';
import type { Plan } from '../options/plan.ts';
import { reachApi, reachControl } from '../preflight/preflight.ts';
import type { ReachedApi, ReachedControl } from '../preflight/preflight.ts';
import { reachReceiver } from '../preflight/reach-receiver.ts';
import type { ReachedReceiver } from '../preflight/reach-receiver.ts';
import { reachThroughControl, reachThroughSteps } from '../preflight/reach-sender.ts';
import { Unreachable } from '../verdict/findings.ts';
import { goneFixtures } from './gone-fixtures.ts';
import { walkLists } from './walk-lists.ts';

/** Everything that a run knows before its first check. Null: the options do not name that part. */
export interface Discovery extends KnownTarget {
  /** The fixtures of the file that no longer exist, each with a sentence that says so. */
  readonly gone: ReadonlyMap<FixtureName, string>;
  readonly api: ReachedApi | null;
  readonly control: ReachedControl | null;
  readonly receiver: ReachedReceiver | null;
}

/** Reaches everything that the plan names, then discovers keys and ids. Throws `Unreachable`. */
export async function discover(run: RunContext, selected: readonly Check[]): Promise<Discovery> {
  const { plan, now } = run;
  const context = (keys: Facts['keys']): CheckContext => ownContext(run, 'read', keys);

  // A given key belongs to an existing tenant, and a new world would not contain that tenant.
  const fresh = plan.allowWrites && plan.keys.main === undefined;
  const control =
    plan.control === null ? null : await reachControl(plan.control.url, context({}).control, fresh);
  const world = control?.world ?? null;
  const firstKeys = discoverKeys(plan, world);
  const api =
    plan.baseUrl === null
      ? null
      : await reachApi(
          plan.baseUrl,
          context(firstKeys).api,
          {
            hasKey: firstKeys.main !== undefined,
            worldKey: world?.keys.wildcard ?? null,
            appUrl: plan.appUrl,
          },
          now,
        );
  const receiver =
    plan.receiver === null
      ? null
      : await reachReceiver(plan.receiver.url, context({}).receiver, now, plan.allowWrites);

  const tenantId = api?.identity?.tenantId;
  const ours = isWorldOf(world, plan.keys.main, tenantId) ? world : null;
  const keys = discoverKeys(plan, ours);
  const available = { app: api !== null && plan.appUrl !== null && api.appProblem === null, keys };
  const usable = api !== null && api.keyProblem === null;
  const gone = usable ? await goneFixtures(plan.fixtures, context(keys).api, available) : NONE;
  const isGone = new Set<string>(gone.keys());
  const known = await discoverFixtures(plan, ours, keys, context(keys).api);
  const fixtures = Object.fromEntries(Object.entries(known).filter(([name]) => !isGone.has(name)));
  const drives = selected.some(({ side, needs }) => side === 'sender' && needs.includes('driver'));
  const recording = drives ? await discoverSender(run, control) : null;
  const facts = { keys, fixtures };
  if (control === null || world === null || ours !== null) {
    return { facts, gone, api, control, receiver, recording };
  }
  const foreignWorld = `the key is of tenant ${tenantId}, the world of the control interface of tenant ${world.tenantId}`;
  return { facts, gone, api, control: { ...control, foreignWorld }, receiver, recording };
}

const NONE: Discovery['gone'] = new Map();

/** A given key cannot see the ids of another tenant's world. A key of the world belongs to it, whatever it reports. */
function isWorldOf(
  world: World | null,
  given: string | undefined,
  tenantId: string | undefined,
): boolean {
  if (world === null || given === undefined || tenantId === undefined) return true;
  const { otherTenant, ...own } = world.keys;
  return (
    Object.values(own).includes(given) || (given !== otherTenant && world.tenantId === tenantId)
  );
}

/** Reaches the sender unless it is locked or nothing causes its deliveries. Throws `Unreachable`. */
async function discoverSender(
  run: RunContext,
  control: ReachedControl | null,
): Promise<Recording | null> {
  const { plan, now, listeners, journal, notice, redactor, closers, signal } = run;
  if (journal === null || !plan.allowWrites || (control?.problem ?? null) !== null) return null;
  if (plan.control === null && plan.steps === null) return null;
  const server = await listeners().catch(asUnreachable);
  const { retryWindowMilliseconds } = plan;
  if (plan.steps === null || plan.control !== null) {
    if (control?.clockMode === 'real') {
      const seconds = Math.round(retryWindowMilliseconds / 1000);
      notice(
        `The sender has a real clock: waiting up to ${seconds} s for retries (--retry-window).`,
      );
    }
    const { sender, control: client } = ownContext(run, 'write', {});
    await reachThroughControl(sender, client, server);
    return null;
  }
  const outgoing = { method: 'GET', url: server.probe.url, headers: [], body: null };
  const probe = (): Promise<Incoming> => ownSession(run, 'read').send('listener', outgoing);
  const performer = plan.steps;
  const steps = reachThroughSteps({
    performer: {
      person: performer.person,
      async perform(step) {
        signal.throwIfAborted();
        return performer.perform(step, signal);
      },
    },
    server,
    probe: plan.listen.publicUrl === null ? null : probe,
    changes: journal,
    times: { now, retryWindowMilliseconds },
    notice,
  });
  const recording = await Promise.race([steps, rejectionAt(signal)]);
  redactor.add('HOOKPROOF_ENDPOINT_SECRET', recording.endpoint.secret ?? '');
  closers.push(() => recording.close());
  return recording;
}

/** Rejects when the run is interrupted: a recording waits long for deliveries that do not come. */
function rejectionAt(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(asInterruption(signal)), { once: true });
    if (signal.aborted) reject(asInterruption(signal));
  });
}

function asInterruption({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** The address of the listener is taken or not allowed. */
function asUnreachable(error: unknown): never {
  if (!(error instanceof Error && 'syscall' in error)) throw error;
  const message = `the suite cannot listen for deliveries: ${error.message}`;
  throw new Unreachable('--listen', message, {
    headline: 'the suite cannot listen for deliveries',
    remedy: optionRemedy('listener'),
  });
}

/** Given keys override the keys of the world. */
export function discoverKeys(plan: Plan, world: World | null): Facts['keys'] {
  const given = factsFrom(plan.keys, 'given');
  return world === null ? given : { ...worldFacts(world).keys, ...given };
}

/** Given ids override the ids of the world; without a world, ids come from the lists. */
async function discoverFixtures(
  plan: Plan,
  world: World | null,
  keys: Facts['keys'],
  api: ApiClient,
): Promise<Facts['fixtures']> {
  const given = factsFrom(plan.fixtures, 'fixtures.json');
  if (world !== null) return { ...worldFacts(world).fixtures, ...given };
  if (plan.baseUrl === null || keys.main === undefined) return given;
  const available = { app: plan.appUrl !== null, otherTenant: keys.otherTenant !== undefined };
  return { ...(await walkLists(api, available)), ...given };
}
