import type { Check, Requirements } from '../../check-kit/check.ts';
import { about } from './arrivals.ts';
import { runsCheck } from './sender-check.ts';
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
  return runsCheck({
    name: `silent.${name}`,
    requirements,
    title: `sends no event for runs of origin ${origin}, whatever their end`,
    judge({ deliveries, invoked, evaluation }, expect) {
      const tried = origin === 'evaluation' ? evaluation : invoked;
      const made = tried.flatMap(([one]) => one ?? []);
      const [first] = tried;
      if (made.length === 0 && first !== undefined) valueOf(first);
      for (const { run, statuses, wanted } of made) {
        for (const delivery of about(deliveries, run)) {
          const what = `a run of ${wanted.type ?? 'workflow'}s that ended ${statuses.at(-1) ?? run.status}`;
          expect(delivery, false, `no event of ${run.id}, ${what}`, delivery.event['type']);
        }
      }
    },
  });
}
