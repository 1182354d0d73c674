import type { Check, Requirements } from '../../check-kit/check.ts';
import { expectOf, sender } from './sender-check.ts';
import { withRig } from './rig.ts';

/** Runs without events. The window ends when the events of a later run have arrived. */
export const senderSilenceChecks: readonly Check[] = [
  silent('silent.invoked-run', ['webhook-event.invoked-run.silent'], 'invoke-workflow'),
  silent('silent.evaluation-run', ['webhook-event.evaluation-run.silent'], 'evaluation'),
];

function silent(
  name: string,
  requirements: Requirements,
  origin: 'invoke-workflow' | 'evaluation',
): Check {
  const title = `sends no event for a run of origin ${origin}`;
  return sender.check({
    name,
    requirements,
    title,
    run: (context) =>
      withRig(context, async (rig) => {
        const quiet = await rig.createRun({ origin });
        await rig.move(quiet, 'running', 'finalizing', 'completed');
        const later = await rig.createRun();
        await rig.move(later, 'running');
        await rig.until(`two events of ${later.id}`, () => rig.about(later).length > 1);
        for (const delivery of rig.about(quiet)) {
          expectOf(rig, delivery, false, `no event of ${quiet.id}`, delivery.event['type']);
        }
      }),
  });
}
