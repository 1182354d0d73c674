import type { Check, Requirements } from '../../check-kit/check.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { expectOf, sender } from './sender-check.ts';
import { withRig, runOf } from './rig.ts';

/**
 * Responses that end delivery. The window: a later event gets 503 and has had three attempts,
 * so that a second attempt of the first would have arrived, too.
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
          await rig.until(`event of ${run.id}`, () => rig.about(run).length > 0);
          const later = await rig.createRun();
          await rig.until(`three attempts for ${later.id}`, () => rig.about(later).length > 2);
          const [, again] = rig.about(run);
          if (again !== undefined) {
            expectOf(rig, again, false, `no further attempt after ${status}`, 'another attempt');
          }
        },
        { script: (delivery, attempt) => responseTo(delivery, attempt, subject, status) },
      );
    },
  });
}

/** The first run that has an event is the subject, because its event may arrive before its creation returns. */
function responseTo(
  { event }: Omit<ReceivedDelivery, 'response'>,
  attempt: number,
  subject: string | undefined,
  status: number,
): { readonly status: number } {
  if (subject === undefined || runOf(event)['id'] === subject) return { status };
  return { status: attempt < 3 ? 503 : 204 };
}
