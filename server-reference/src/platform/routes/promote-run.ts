import type { PromotedRun, RunPromotion } from '@hookproof/spec';

import { isoTime } from '../clock/clock.ts';
import { readExampleName } from '../datasets/artifact-path.ts';
import { findRun } from '../resources/find.ts';
import { promoteRun as promote } from '../runs/promote-run.ts';
import { refuseFull } from '../store/room.ts';
import type { ApiRequest, Handler, Services } from './services.ts';

/**
 * `POST /v1/runs/{id}/promote`: makes a dataset example of a run. Without a name, the example has the id of
 * the run, so that a repeated request updates it.
 */
export function promoteRun({ store, clock }: Services): Handler<unknown, RunPromotion | undefined> {
  return async function handle(
    request: ApiRequest<unknown, RunPromotion | undefined>,
  ): Promise<PromotedRun> {
    refuseFull(store.state);
    const given = request.body?.name;
    const name = given === undefined ? undefined : readExampleName(given, 'name');
    return store.commit((state) => {
      const run = findRun(state, request);
      const example = promote(state, run, name ?? run.id, isoTime(clock.now()));
      return {
        automationId: run.automationId,
        automationType: run.type,
        exampleId: example.id,
        name: example.name,
      };
    });
  };
}
