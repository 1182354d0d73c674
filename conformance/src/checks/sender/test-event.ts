import type { Check } from '../../check-kit/check.ts';
import { runOf } from '../../listener/delivery.ts';
import { Inconclusive, NotApplicable } from '../../verdict/findings.ts';
import { absence, missingRetry } from './absence.ts';
import { byEvent } from './arrivals.ts';
import type { Arrivals } from './arrivals.ts';
import { isRetried } from '../../driver/responses.ts';
import { AttemptCounts } from './attempts.ts';
import { runsCheck } from './sender-check.ts';
import type { ObservedRuns } from './scenes/observed-runs.ts';
import { valueOf } from './scenes/scene.ts';
import { isSuccess } from '../../http/message.ts';

/** Events of the Send test action. */
export const senderTestEventChecks: readonly Check[] = [
  runsCheck({
    name: 'test-event.sent',
    requirements: ['webhook-event.test.sent'],
    title: 'the Send test action sends an event',
    judge(observed) {
      const id = valueOf(observed.testId);
      if (testEventsOf(observed).length > 0) return;
      throw absence(observed, `test event ${id}`);
    },
  }),
  runsCheck({
    name: 'test-event.flag',
    requirements: ['webhook-event.test.flag', 'webhook-envelope.test.false-for-real-runs'],
    title: 'an event of Send test has test true',
    judge(observed, expect) {
      for (const delivery of arrivedTests(observed)) {
        const { test } = delivery.event;
        expect(delivery, test === true, 'test true', test);
      }
    },
  }),
  runsCheck({
    name: 'test-event.retried',
    requirements: ['delivery.retry.5xx', 'webhook-event.test.sent'],
    title: 'retries a test event after 503',
    judge(observed) {
      const events = arrivedTests(observed);
      if (!events.some(({ response }) => isRetried(response))) {
        throw new Inconclusive('Cannot judge: the test event was not refused.');
      }
      if (new AttemptCounts(observed.deliveries).isAgain(events)) return;
      const id = String(events[0]?.event['id']);
      throw missingRetry(observed, events.slice(0, 1), `a further attempt of test event ${id}`);
    },
  }),
  runsCheck({
    name: 'test-event.synthetic-run',
    requirements: ['webhook-envelope.test.synthetic-run'],
    title: 'the run of a test event cannot be read',
    needs: ['driver', 'app'],
    judge(observed, expect) {
      const [delivery] = arrivedTests(observed);
      if (delivery === undefined) return;
      const id = String(runOf(delivery.event)['id']);
      const isKnown = observed.runs.some(({ run }) => run.id === id);
      expect(delivery, !isKnown, 'a run that does not exist', id);
      const [found, synthetic] = valueOf(observed.reads);
      if (!isSuccess(found)) {
        throw new NotApplicable(`reading an existing run gets ${found.status}`);
      }
      const isRead = isSuccess(synthetic);
      expect(delivery, !isRead, `a run id that cannot be read, such as ${id}`, synthetic.status);
    },
  }),
  runsCheck({
    name: 'test-event.synthetic-automation',
    requirements: ['webhook-envelope.test.synthetic-run'],
    title: 'the automation of a test event does not exist',
    judge(observed, expect) {
      const tests = arrivedTests(observed);
      const real = observed.deliveries.filter((delivery) => !tests.includes(delivery));
      const known = new Set(real.map(({ event }) => runOf(event)['automationId']));
      for (const delivery of tests) {
        const { automationId } = runOf(delivery.event);
        expect(delivery, !known.has(automationId), 'an unknown automation', automationId);
      }
    },
  }),
];

function testEventsOf({ deliveries, testId: [id] }: ObservedRuns): Arrivals {
  return id === undefined ? [] : (byEvent(deliveries).get(id) ?? []);
}

function arrivedTests(observed: ObservedRuns): Arrivals {
  const id = valueOf(observed.testId);
  const events = testEventsOf(observed);
  if (events.length === 0) throw new Inconclusive(`Cannot judge: test event ${id} did not arrive.`);
  return events;
}
