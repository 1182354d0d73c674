import type { Check, Requirements } from '../../check-kit/check.ts';
import { about } from './arrivals.ts';
import { lifeCheck } from './sender-check.ts';
import { valueOf } from './scenes/scene.ts';

/** Runs without events. The window ends when the events of other runs have arrived. */
export const senderSilenceChecks: readonly Check[] = [
  silent('invoked-run', ['webhook-event.invoked-run.silent'], 'invoke-workflow'),
  silent('evaluation-run', ['webhook-event.evaluation-run.silent'], 'evaluation'),
];

function silent(
  name: string,
  requirements: Requirements,
  origin: 'invoke-workflow' | 'evaluation',
): Check {
  return lifeCheck({
    name: `silent.${name}`,
    requirements,
    title: `sends no event for a run of origin ${origin}`,
    judge({ deliveries, invoked, evaluation }, expect) {
      const { run } = valueOf(origin === 'evaluation' ? evaluation : invoked);
      for (const delivery of about(deliveries, run)) {
        expect(delivery, false, `no event of ${run.id}`, delivery.event['type']);
      }
    },
  });
}
