import type { Check, Requirements } from '../../check-kit/check.ts';
import {
  MALFORMED_RETRY_AFTER,
  SERVER_ERROR_WITH_BODY,
  SERVER_ERRORS,
} from '../../driver/responses.ts';
import { Inconclusive } from '../../verdict/findings.ts';
import { missingRetry } from './absence.ts';
import { isChange, isCreated } from './arrivals.ts';
import { AttemptCounts, nameOf } from './attempts.ts';
import { expectIn, sender, showingArrivals } from './sender-check.ts';
import { responsesOf } from './scenes/responses.ts';

/** A sender may treat the responses to one type of event differently by mistake. */
const TYPES = [
  ['run.created', isCreated],
  ['run.status_changed', isChange],
] as const;

/** Responses after which delivery continues. */
export const senderRetryChecks: readonly Check[] = [
  retried('on-408', ['delivery.retry.408'], '408', ['408']),
  retried('on-425', ['delivery.retry.425'], '425', ['425']),
  retried('on-429', ['delivery.retry.429'], '429, with and without Retry-After', [
    '429',
    '429 with Retry-After',
    nameOf(MALFORMED_RETRY_AFTER),
  ]),
  retried(
    'on-5xx',
    ['delivery.retry.5xx', 'delivery.at-least-once'],
    'any 5xx, with and without a body',
    [...SERVER_ERRORS.map(String), nameOf(SERVER_ERROR_WITH_BODY)],
  ),
  retried('on-network-failure', ['delivery.retry.network-failure'], 'a network failure', [
    nameOf('reset'),
  ]),
  sender.check({
    name: 'retry.backoff',
    requirements: ['delivery.retry.backoff'],
    needs: ['driver', 'control', 'control.virtual-clock'],
    title: 'lets time pass between the attempts of an event',
    async run(context) {
      const { records, deliveries } = await responsesOf(context);
      const expect = expectIn(context);
      for (const { eventId, attempts } of records ?? []) {
        const times = attempts.map(({ startedAt }) => Date.parse(startedAt));
        const pauses = times.slice(1).map((time, index) => time - (times[index] ?? time));
        const subject = deliveries.find(({ event }) => event['id'] === eventId);
        // One attempt can be a duplicate; several in a row have a schedule.
        if (subject === undefined || pauses.length < 3) continue;
        const hasPause = pauses.some((pause) => pause > 0);
        const actual = `${times.length} attempts at ${new Date(times[0] ?? 0).toISOString()}`;
        expect(subject, hasPause, 'attempts with pauses between them', actual);
      }
    },
  }),
];

function retried(
  name: string,
  requirements: Requirements,
  cause: string,
  responses: readonly string[],
): Check {
  return sender.check({
    name: `retry.${name}`,
    requirements,
    title: `retries after ${cause}`,
    async run(context) {
      const scene = await responsesOf(context);
      const { deliveries } = scene;
      const counts = new AttemptCounts(deliveries);
      const tried = responses.filter((response) => counts.of(response).length > 0);
      for (const [type, isOfType] of TYPES) {
        const ended = tried.flatMap((response) => {
          const events = counts
            .of(response)
            .filter(([first]) => first !== undefined && isOfType(first));
          return events.some((event) => counts.isAgain(event)) ? [] : [{ response, events }];
        });
        const silent = ended.filter(({ events }) => events.length > 0);
        if (silent.length === 0) continue;
        await showingArrivals(deliveries, context, () => {
          const firsts = silent.flatMap(({ events }) => events.flatMap(([first]) => first ?? []));
          const names = silent.map(({ response }) => response).join(', ');
          throw missingRetry(scene, firsts, `a further attempt of ${type} after ${names}`);
        });
      }
      if (tried.length === 0) {
        throw new Inconclusive(`Cannot judge: no event arrived that could get ${cause}.`);
      }
    },
  });
}
