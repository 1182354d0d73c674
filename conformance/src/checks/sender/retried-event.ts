import type { Check, CheckContext } from '../../check-kit/check.ts';
import { show } from '../../check-kit/expect.ts';
import { firstDifference } from '../../check-kit/first-difference.ts';
import { judgeEach } from '../../check-kit/values.ts';
import { contractSchema } from '../../check-kit/schema.ts';
import type { Delivery } from '../../clients/control-client.ts';
import { kindOf } from '../../driver/event-kinds.ts';
import type { EventKind } from '../../driver/event-kinds.ts';
import { optionRemedy } from '../../options/remedies.ts';
import { dataOf, runOf } from '../../listener/delivery.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { CouldNotRun, Inconclusive, NotApplicable } from '../../verdict/findings.ts';
import { missingRetry, noRetryYet } from './absence.ts';
import { byEvent, twinsIn } from './arrivals.ts';
import type { Arrivals } from './arrivals.ts';
import { isRetried } from '../../driver/responses.ts';
import { AttemptCounts } from './attempts.ts';
import { runsCheck, sceneCheck, sender, showingArrivals } from './sender-check.ts';
import type { Expect } from './sender-check.ts';
import type { ObservedRuns } from './scenes/observed-runs.ts';
import type { Scene } from './scenes/scene.ts';
import { responsesOf } from './scenes/responses.ts';
import { isSigned } from './signature.ts';

/** The clock that signs may differ this much from the one that records attempts. */
const SIGNING_TOLERANCE_SECONDS = 5;
/** Times in whole seconds that are closer than this do not differ. */
const MIN_DIFFERENCE_SECONDS = 3;

interface RetriedKinds {
  readonly what: string;
  readonly kinds: readonly EventKind[];
  /** Whether a sender can do without events of these kinds. Default no. */
  readonly optional?: boolean;
}

const RETRIED_KINDS: readonly RetriedKinds[] = [
  {
    what: 'a status change of a workflow run',
    kinds: ['first-change', 'waiting', 'later-change'],
  },
  {
    what: 'a change to a terminal status',
    kinds: ['completed', 'failed', 'cancelled', 'rejected'],
  },
  { what: 'run.created of an agent run', kinds: ['agent'] },
  {
    what: 'a status change of an agent run',
    kinds: ['agent-change', 'agent-end'],
  },
  {
    what: 'run.created of a manual, email or cron run',
    kinds: ['manual', 'email', 'cron'],
    optional: true,
  },
  { what: 'an event of more than 8 KiB', kinds: ['large'], optional: true },
  {
    what: 'an event with characters beyond ASCII',
    kinds: ['non-ascii'],
    optional: true,
  },
];
const NAMES: Readonly<Record<EventKind, string>> = {
  api: 'a creation',
  manual: 'the creation of a manual run',
  email: 'the creation of an email run',
  cron: 'the creation of a cron run',
  agent: 'the creation of an agent run',
  'first-change': 'the first change of a run',
  waiting: 'a change to waiting',
  'later-change': 'a later change of a run',
  completed: 'a change to completed',
  failed: 'a change to failed',
  cancelled: 'a change to cancelled',
  rejected: 'a change to rejected',
  'agent-change': 'a change of an agent run',
  'agent-end': 'the end of an agent run',
  large: 'an event of more than 8 KiB',
  'non-ascii': 'an event with characters beyond ASCII',
};

/** What a retry has in common with the first attempt, and what not. */
export const senderRetriedEventChecks: readonly Check[] = [
  sceneCheck({
    name: 'retry.same-id',
    requirements: ['webhook-header.id.stable', 'webhook-envelope.id.idempotency-key'],
    title: 'every attempt of an event has the same webhook-id',
    judge({ deliveries }, expect) {
      for (const { first, twin } of twinsIn(deliveries)) {
        expect(twin, false, `webhook-id ${String(first.event['id'])}`, twin.event['id']);
      }
      for (const [first, ...others] of byEvent(deliveries).values()) {
        const id = first?.header('webhook-id');
        for (const other of others) {
          const again = other.header('webhook-id');
          expect(other, again === id, `webhook-id ${String(id)}`, again);
        }
      }
    },
  }),
  sender.check({
    name: 'retry.every-kind',
    requirements: ['delivery.retry.5xx'],
    title: 'retries every kind of event after 503',
    async run(context) {
      const scene = await responsesOf(context);
      const counts = new AttemptCounts(scene.deliveries);
      await judgeEach(
        RETRIED_KINDS,
        ({ what }) => what,
        (retried) => expectRetried(scene, counts, retried, context),
      );
    },
  }),
  runsCheck({
    name: 'retry.same-payload',
    requirements: ['delivery.retry.same-payload'],
    title: 'a retry has the same event',
    judge(observed, expect) {
      for (const [first, ...others] of retriedEvents(observed)) {
        for (const second of others) {
          const [before, again] = [first, second].map((one) => documented(one?.event));
          const found = first === undefined ? null : firstDifference(before, again);
          const expected = `${found?.path} ${show(found?.before)}, as at the first attempt`;
          expect(second, found === null, expected, found?.after);
        }
      }
    },
  }),
  runsCheck({
    name: 'retry.fresh-timestamp',
    requirements: ['webhook-header.timestamp.signing-time'],
    title: 'a retry has the time of its own signing as timestamp',
    judge(observed, expect) {
      if (observed.records === null) return expectTimesApart(observed, expect);
      const times = attemptTimes(observed);
      const [first, last] = [times[0], times.at(-1)];
      const retries = delayedEvent(observed).slice(1);
      const latest = retries.at(-1);
      if (first === undefined || last === undefined || latest === undefined) throw noRetryYet();
      const areStale = retries.every((retry) =>
        isMuchNearer(Number(retry.header('webhook-timestamp')), first, last),
      );
      const expected = `the time of a later attempt, up to ${Math.floor(last)}`;
      expect(latest, !areStale, expected, latest.header('webhook-timestamp'));
    },
  }),
  runsCheck({
    name: 'retry.fresh-signature',
    requirements: ['delivery.retry.signed-afresh'],
    title: 'a retry has a signature that matches its own timestamp',
    judge(observed, expect) {
      for (const [, ...others] of retriedEvents(observed)) {
        for (const retry of others) {
          const value = retry.header('webhook-signature');
          const expected = 'a signature that matches this id, timestamp and body';
          expect(retry, isSigned(retry, observed), expected, value);
        }
      }
    },
  }),
  runsCheck({
    name: 'retry.retry-after',
    requirements: ['delivery.retry-after'],
    title: 'a retry waits at least as long as Retry-After asks',
    needs: ['driver', 'control'],
    judge(observed, expect) {
      const { seconds } = observed.delayed;
      const attempts = delayedAttempts(observed).toSorted((a, b) => startOf(a) - startOf(b));
      const retry = delayedEvent(observed).at(-1);
      // A sender that received no response knows of no Retry-After.
      const pauses = attempts.slice(1).flatMap((attempt, index) => {
        const before = attempts[index];
        return before === undefined || typeof before.error === 'string'
          ? []
          : [startOf(attempt) - startOf(before)];
      });
      if (pauses.length === 0 || retry === undefined) throw noRetryYet();
      const longest = Math.max(...pauses);
      expect(retry, longest >= seconds, `at least ${seconds} s`, `${longest} s`);
    },
  }),
];

/** Throws unless each of some kinds of events is retried, not only the first that a sender's author thought of. */
async function expectRetried(
  scene: Scene,
  counts: AttemptCounts,
  { what, kinds, optional = false }: RetriedKinds,
  context: CheckContext,
): Promise<void> {
  const unavailable = counts.of('503');
  const ofKind = (kind: EventKind): readonly Arrivals[] =>
    unavailable.filter(([first]) => first !== undefined && kindOf(first) === kind);
  const refused = kinds.map((kind) => ({ kind, arrivals: ofKind(kind) }));
  const tried = refused.filter(({ arrivals }) => arrivals.length > 0);
  if (tried.length === 0 && optional)
    throw new NotApplicable(`the sender sent no such event: ${what}`);
  if (tried.length === 0) throw new Inconclusive(`Cannot judge: ${what} was not refused.`);
  const silent = tried.find(({ arrivals }) => !arrivals.some((one) => counts.isAgain(one)));
  if (silent === undefined) return;
  const firsts = silent.arrivals.flatMap(([first]) => first ?? []);
  const id = String(firsts[0]?.event['id']);
  await showingArrivals(scene.deliveries, context, () => {
    throw missingRetry(scene, firsts, `a further attempt of ${id}, ${NAMES[silent.kind]}`);
  });
}

/** The deliveries of each event that was refused and came again, without its redelivery. */
function retriedEvents({
  deliveries,
  redelivery: [redelivered],
}: ObservedRuns): readonly Arrivals[] {
  const retried = [...byEvent(deliveries)].filter(
    ([id, [first, second]]) =>
      second !== undefined &&
      first !== undefined &&
      isRetried(first.response) &&
      id !== redelivered?.eventId,
  );
  if (retried.length === 0) throw noRetryYet();
  return retried.map(([, arrivals]) => arrivals);
}

/** The deliveries of the event that was refused with a `Retry-After`. */
function delayedEvent({ deliveries, delayed }: ObservedRuns): Arrivals {
  return byEvent(deliveries).get(String(delayed.eventId)) ?? [];
}

/** The attempts of that event, by the records of the sender. */
function delayedAttempts({ records, delayed }: ObservedRuns): Delivery['attempts'] {
  const record = records?.find(({ eventId }) => eventId === delayed.eventId);
  if (record === undefined) {
    throw new CouldNotRun(
      'the control interface does not list the attempts of the event',
      'list every attempt in GET /deliveries of the control interface',
    );
  }
  return record.attempts;
}

/** When they started, in seconds. Each time once. */
function attemptTimes(observed: ObservedRuns): readonly number[] {
  return [...new Set(delayedAttempts(observed).map(startOf))];
}

function startOf({ startedAt }: Delivery['attempts'][number]): number {
  return Date.parse(startedAt) / 1000;
}

/**
 * Without the sender's records, two attempts that arrived seconds apart tell: their timestamps are apart too, unless the
 * time of the first was signed again. A single event may have been sent twice on its way.
 */
function expectTimesApart(observed: ObservedRuns, expect: Expect): void {
  const apart = retriedEvents(observed).flatMap((arrivals) => {
    const [first, last] = [arrivals[0], arrivals.at(-1)];
    if (first === undefined || last === undefined) return [];
    const seconds = (last.arrivedAt - first.arrivedAt) / 1000;
    return seconds < MIN_DIFFERENCE_SECONDS ? [] : [{ first, last, seconds }];
  });
  const [found] = apart;
  if (found === undefined) {
    throw new CouldNotRun(
      `every retry came within ${MIN_DIFFERENCE_SECONDS} s of the first attempt, so that timestamps in seconds do not tell them apart`,
      optionRemedy('control'),
    );
  }
  const areStale = apart.every(
    ({ first, last, seconds }) => timestampOf(last) - timestampOf(first) < seconds / 2,
  );
  const { first, last, seconds } = found;
  const expected = `a timestamp about ${Math.round(seconds)} s after ${timestampOf(first)}, that of the first attempt`;
  expect(last, !areStale, expected, last.header('webhook-timestamp'));
}

function timestampOf(delivery: ReceivedDelivery): number {
  return Number(delivery.header('webhook-timestamp'));
}

/** Whether a time belongs to the first moment and not to the second, whatever small difference the clocks have. */
function isMuchNearer(time: number, first: number, second: number): boolean {
  const tolerance = Math.min(SIGNING_TOLERANCE_SECONDS, (second - first) / 4);
  if (second - first < MIN_DIFFERENCE_SECONDS) return false;
  return Math.abs(time - first) + tolerance < Math.abs(time - second);
}

/** What the contract names in an event: other members, such as the number of the attempt, may differ. */
function documented(event: ReceivedDelivery['event'] = {}): object {
  return {
    ...pick(event, ['id', 'type', 'apiVersion', 'createdAt', 'test']),
    ...pick(dataOf(event), ['previousStatus', 'currentStatus']),
    run: pick(runOf(event), Object.keys(contractSchema('RunSnapshot').properties ?? {})),
  };
}

function pick(values: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}
