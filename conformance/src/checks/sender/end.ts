import type { Check, Requirements } from '../../check-kit/check.ts';
import {
  ENDING,
  ENDING_WITH_BODY,
  isRetried,
  SUCCESSES,
  WITH_BODY,
} from '../../driver/responses.ts';
import type { ListenerResponse } from '../../listener/delivery.ts';
import { Inconclusive, Violation } from '../../verdict/findings.ts';
import { absence } from './absence.ts';
import { about, isChange, isCreated } from './arrivals.ts';
import { AttemptCounts, nameOf } from './attempts.ts';
import { evidenceOf, sender } from './sender-check.ts';
import { responsesOf } from './scenes/responses.ts';

/**
 * Responses that end delivery. Duplicates may follow any of them; retries, which follow one response and not the
 * others, may not.
 */
export const senderEndChecks: readonly Check[] = [
  ends('on-2xx', ['delivery.success'], 'any 2xx, with and without a body', [
    ...SUCCESSES.map(String),
    ...WITH_BODY.map(nameOf),
  ]),
  ends('on-4xx', ['delivery.end.other-4xx'], 'a 4xx that is not retried, with and without a body', [
    ...ENDING.map(String),
    nameOf(ENDING_WITH_BODY),
  ]),
  sender.check({
    name: 'end.of-one-event',
    requirements: ['webhook-event.status-changed.sent', 'delivery.end.other-4xx'],
    title:
      'a 4xx to run.created ends the delivery of that event, and not of the changes of the run',
    async run(context) {
      const scene = await responsesOf(context);
      const { deliveries, observed } = scene;
      const refused = observed.filter(({ run, statuses }) => {
        const created = about(deliveries, run).find(isCreated);
        return statuses.length > 0 && created !== undefined && isRefusedForGood(created.response);
      });
      if (refused.length === 0) {
        throw new Inconclusive('Cannot judge: no run that changed had a creation with a 4xx.');
      }
      const silent = refused.filter(({ run }) => !about(deliveries, run).some(isChange));
      const [first] = silent;
      if (first === undefined) return;
      throw absence(
        scene,
        `run.status_changed of ${first.run.id}, whose run.created got a 4xx`,
        `, as for ${silent.length} of ${refused.length} runs`,
      );
    },
  }),
];

function isRefusedForGood(response: ListenerResponse): boolean {
  return (
    typeof response !== 'string' &&
    response.status >= 400 &&
    response.status <= 499 &&
    !isRetried(response)
  );
}

function ends(
  name: string,
  requirements: Requirements,
  cause: string,
  names: readonly string[],
): Check {
  return sender.check({
    name: `end.${name}`,
    requirements,
    title: `makes no further attempt after ${cause}`,
    async run(context) {
      const { deliveries, records } = await responsesOf(context);
      const counts = new AttemptCounts(deliveries, records);
      const continued = names.filter((one) => counts.continuesAfter(one));
      if (continued.length > 0) {
        const [most] = deliveries
          .filter(
            (first) => first.attempts()[0] === first && continued.includes(nameOf(first.response)),
          )
          .toSorted((one, other) => other.attempts().length - one.attempts().length);
        const evidence = most === undefined ? null : evidenceOf(most, context.redact);
        throw new Violation({
          expected: `no further attempt after ${continued.join(', ')}`,
          actual: `${evidence?.attempts.length} attempts of one event`,
          ...evidence,
        });
      }
      if (names.every((one) => counts.of(one).length === 0)) {
        throw new Inconclusive(`Cannot judge: no event arrived that could get ${cause}.`);
      }
    },
  });
}
