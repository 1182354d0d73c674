import type { Check, Requirements } from '../../check-kit/check.ts';
import { ENDING, SUCCESSES, WITH_BODY } from '../../driver/responses.ts';
import { Inconclusive, Violation } from '../../verdict/findings.ts';
import { AttemptCounts, nameOf } from './attempts.ts';
import { evidenceOf, sender } from './sender-check.ts';
import { responsesOf } from './scenes/responses.ts';

const NAMED: readonly number[] = [400, 404, 410];
const OTHER_4XX = ENDING.filter((status) => !NAMED.includes(status));

/**
 * Responses that end delivery. Duplicates may follow any of them; retries, which follow one response and not the
 * others, may not.
 */
export const senderEndChecks: readonly Check[] = [
  ends('on-2xx', ['delivery.success'], 'any 2xx', SUCCESSES.map(String)),
  ends('on-2xx-with-body', ['delivery.success'], 'a 2xx with a body', WITH_BODY.map(nameOf)),
  ...NAMED.map((status) =>
    ends(`on-${status}`, ['delivery.end.other-4xx'], `${status}`, [`${status}`]),
  ),
  ends('on-other-4xx', ['delivery.end.other-4xx'], 'any other 4xx', OTHER_4XX.map(String)),
];

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
