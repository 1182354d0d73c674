import { ApiError, issue, notFound, ROOT } from '../../platform/http/api-error.ts';
import type { Services } from '../../platform/routes/services.ts';
import { MOST_PATHOLOGIES } from '../delivery-faults/delivery-fault-plan.ts';
import type { PathologyPlan } from '../delivery-faults/delivery-fault-plan.ts';
import { isSpent } from '../delivery-faults/delivery-fault.ts';
import type { PathologyOrder } from '../delivery-faults/delivery-fault.ts';
import { findKnown } from './find.ts';
import type { ControlRoute } from './operation.ts';

/** Planted pathologies: what befalls which deliveries. */
export function pathologyRoutes(services: Services): ControlRoute[] {
  const { pathologies } = services;
  return [
    plantRoute(services),
    {
      operationId: 'listPathologies',
      handle: async () => ({ status: 200, body: { data: pathologies.list() } }),
    },
    {
      operationId: 'removePathologies',
      async handle() {
        pathologies.clear();
        return { status: 204 };
      },
    },
    {
      operationId: 'removePathology',
      async handle({ path }) {
        if (pathologies.remove(path['id'] ?? '')) return { status: 204 };
        throw notFound('id', 'no pathology has this id');
      },
    },
  ];
}

function plantRoute({ store, pathologies, clock }: Services): ControlRoute<PathologyOrder> {
  return {
    operationId: 'plantPathology',
    async handle({ body }) {
      const { endpointId, runId } = body;
      if (runId !== undefined) findKnown(store.state.runs, runId, 'runId', 'run');
      if (endpointId !== undefined) {
        findKnown(store.state.webhookEndpoints, endpointId, 'endpointId', 'webhook endpoint');
      }
      refuseTooMany(pathologies, 1);
      return { status: 201, body: pathologies.plant(body, clock.now()) };
    },
  };
}

/** @throws {ApiError} 409 when so many more cannot be planted */
export function refuseTooMany(pathologies: PathologyPlan, more: number): void {
  if (pathologies.hasRoomFor(more)) return;
  const inWait = pathologies.list().filter((one) => !isSpent(one)).length;
  const message = `there may be ${MOST_PATHOLOGIES} pathologies, and ${inWait} lie in wait already`;
  throw new ApiError(409, [issue('too_many_pathologies', ROOT, message)], {
    hint: 'Remove what is not needed any more: DELETE /_control/pathologies/{id}, or all: DELETE /_control/pathologies.',
  });
}
