import type { Check, Requirements } from '../../check.ts';
import { expectOf, senderCheck } from './sender-check.ts';
import { onStage } from './stage.ts';

/** Runs that cause no events. The window is the life of a later run: its events come, theirs have not. */
export const senderSilenceChecks: readonly Check[] = [
  silent('silent.invoked-run', ['webhook-event.invoked-run.silent'], 'invoke-workflow'),
  silent('silent.evaluation-run', ['webhook-event.evaluation-run.silent'], 'evaluation'),
];

function silent(
  name: string,
  requirements: Requirements,
  origin: 'invoke-workflow' | 'evaluation',
): Check {
  const title = `a run of origin ${origin} causes no event before those of a later run have come`;
  return senderCheck(name, requirements, title, (context) =>
    onStage(context, async (stage) => {
      const quiet = await stage.createRun({ origin });
      await stage.move(quiet, 'running', 'finalizing', 'completed');
      const later = await stage.createRun();
      await stage.move(later, 'running');
      await stage.until(`two events of ${later.id}`, () => stage.about(later).length > 1);
      for (const delivery of stage.about(quiet)) {
        expectOf(stage, delivery, false, `no event of ${quiet.id}`, delivery.event['type']);
      }
    }),
  );
}
