import type { Check, Requirements } from '../../check-kit/check.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { expectOf, sender } from './sender-check.ts';
import { withRig, runOf } from './rig.ts';

/**
 * Answers that end delivery. The window: a later event is answered with 503 and has come three times,
 * so that a second try of the first would have come too.
 */
export const senderEndChecks: readonly Check[] = [
  ends('on-2xx', ['delivery.success'], 202),
  ends('on-400', ['delivery.end.other-4xx'], 400),
  ends('on-404', ['delivery.end.other-4xx'], 404),
  ends('on-410', ['delivery.end.other-4xx'], 410),
];

function ends(name: string, requirements: Requirements, status: number): Check {
  const title = `makes no further attempt after ${status}`;
  return sender.check({
    name: `end.${name}`,
    requirements,
    title,
    async run(context) {
      let subject: string | undefined;
      await withRig(
        context,
        async (rig) => {
          const run = await rig.createRun();
          subject = run.id;
          await rig.until(`an event of ${run.id}`, () => rig.about(run).length > 0);
          const later = await rig.createRun();
          await rig.until(`three tries for ${later.id}`, () => rig.about(later).length > 2);
          const [, again] = rig.about(run);
          if (again !== undefined) {
            expectOf(rig, again, false, `no try after the answer ${status}`, 'another try');
          }
        },
        { script: (delivery, tries) => responseTo(delivery, tries, subject, status) },
      );
    },
  });
}

/** The first run that is heard of is the subject, even when its event is faster than its creation. */
function responseTo(
  { event }: Omit<ReceivedDelivery, 'response'>,
  tries: number,
  subject: string | undefined,
  status: number,
): { readonly status: number } {
  if (subject === undefined || runOf(event)['id'] === subject) return { status };
  return { status: tries < 3 ? 503 : 204 };
}
