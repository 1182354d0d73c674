import type { Check, Requirements } from '../../check.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { expectOf, senderCheck } from './sender-check.ts';
import { onStage, runOf } from './stage.ts';

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
  const title = `no try follows one answered with ${status} while a later event is tried three times`;
  return senderCheck(`end.${name}`, requirements, title, async (context) => {
    let subject: string | undefined;
    await onStage(
      context,
      async (stage) => {
        const run = await stage.createRun();
        subject = run.id;
        await stage.until(`an event of ${run.id}`, () => stage.about(run).length > 0);
        const later = await stage.createRun();
        await stage.until(`three tries for ${later.id}`, () => stage.about(later).length > 2);
        const [, again] = stage.about(run);
        if (again !== undefined) {
          expectOf(stage, again, false, `no try after the answer ${status}`, 'another try');
        }
      },
      { script: (delivery, tries) => answerTo(delivery, tries, subject, status) },
    );
  });
}

/** The first run that is heard of is the subject, even when its event is faster than its creation. */
function answerTo(
  { event }: Omit<ReceivedDelivery, 'answer'>,
  tries: number,
  subject: string | undefined,
  status: number,
): { readonly status: number } {
  if (subject === undefined || runOf(event)['id'] === subject) return { status };
  return { status: tries < 3 ? 503 : 204 };
}
