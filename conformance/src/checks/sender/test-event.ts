import type { Check } from '../../check-kit/check.ts';
import { runOf } from '../../listener/delivery.ts';
import { Inconclusive, NotApplicable } from '../../verdict/findings.ts';
import { absence, missingRetry } from './absence.ts';
import { byEvent } from './arrivals.ts';
import type { Arrivals } from './arrivals.ts';
import { AttemptCounts, isRetried } from './attempts.ts';
import { lifeCheck } from './sender-check.ts';
import type { Life } from './scenes/life.ts';
import { valueOf } from './scenes/scene.ts';
import { isSuccess } from '../../http/message.ts';

/** Events of the Send test action. */
export const senderTestEventChecks: readonly Check[] = [
  lifeCheck({
    name: 'test-event.sent',
    requirements: ['webhook-event.test.sent'],
    title: 'the Send test action sends an event',
    judge(life) {
      const id = valueOf(life.testId);
      if (testEventsOf(life).length > 0) return;
      throw absence(life, `test event ${id}`);
    },
  }),
  lifeCheck({
    name: 'test-event.flag',
    requirements: ['webhook-event.test.flag', 'webhook-envelope.test.false-for-real-runs'],
    title: 'an event of Send test has test true',
    judge(life, expect) {
      for (const delivery of arrivedTests(life)) {
        const { test } = delivery.event;
        expect(delivery, test === true, 'true', test);
      }
    },
  }),
  lifeCheck({
    name: 'test-event.retried',
    requirements: ['delivery.retry.5xx', 'webhook-event.test.sent'],
    title: 'retries a test event after 503',
    judge(life) {
      const events = arrivedTests(life);
      if (!events.some(({ response }) => isRetried(response))) {
        throw new Inconclusive('Cannot judge: the test event was not refused.');
      }
      if (new AttemptCounts(life.deliveries).isAgain(events.length)) return;
      const id = String(events[0]?.event['id']);
      throw missingRetry(life, events.slice(0, 1), `a further attempt of test event ${id}`);
    },
  }),
  lifeCheck({
    name: 'test-event.synthetic-run',
    requirements: ['webhook-envelope.test.synthetic-run'],
    title: 'the run of a test event cannot be read',
    needs: ['driver', 'app'],
    judge(life, expect) {
      const [delivery] = arrivedTests(life);
      if (delivery === undefined) return;
      const id = String(runOf(delivery.event)['id']);
      const isKnown = life.runs.some(({ run }) => run.id === id);
      expect(delivery, !isKnown, 'a run that does not exist', id);
      const [found, synthetic] = valueOf(life.reads);
      if (!isSuccess(found)) {
        throw new NotApplicable(`reading an existing run gets ${found.status}`);
      }
      const isRead = isSuccess(synthetic);
      expect(delivery, !isRead, `a run id that cannot be read, such as ${id}`, synthetic.status);
    },
  }),
  lifeCheck({
    name: 'test-event.synthetic-automation',
    requirements: ['webhook-envelope.test.synthetic-run'],
    title: 'the automation of a test event does not exist',
    judge(life, expect) {
      const tests = arrivedTests(life);
      const real = life.deliveries.filter((delivery) => !tests.includes(delivery));
      const known = new Set(real.map(({ event }) => runOf(event)['automationId']));
      for (const delivery of tests) {
        const { automationId } = runOf(delivery.event);
        expect(delivery, !known.has(automationId), 'an unknown automation', automationId);
      }
    },
  }),
];

function testEventsOf({ deliveries, testId: [id] }: Life): Arrivals {
  return id === undefined ? [] : (byEvent(deliveries).get(id) ?? []);
}

function arrivedTests(life: Life): Arrivals {
  const id = valueOf(life.testId);
  const events = testEventsOf(life);
  if (events.length === 0) throw new Inconclusive(`Cannot judge: test event ${id} did not arrive.`);
  return events;
}
