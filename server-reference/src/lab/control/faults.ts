import type { LimitsChange } from '@hookproof/spec/control';

import { REQUIREMENTS } from '../../platform/access/api-key.ts';
import { ApiError, badRequest, issue, notFound, ROOT } from '../../platform/http/api-error.ts';
import type { LabServices } from './services.ts';
import { MOST_FAULTS } from '../api-faults/fault-plan.ts';
import type { FaultEffect, FaultMatch, FaultOrder } from '../api-faults/fault.ts';
import type { ControlRoute } from './operation.ts';

/** Planted faults: what befalls which requests. */
export function faultRoutes(services: LabServices): ControlRoute[] {
  return [
    plantRoute(services),
    {
      operationId: 'listFaults',
      handle: async () => ({ status: 200, body: { data: services.apiFaults.list() } }),
    },
    {
      operationId: 'removeFaults',
      async handle() {
        services.apiFaults.clear();
        return { status: 204 };
      },
    },
    {
      operationId: 'removeFault',
      async handle({ path }) {
        if (!services.apiFaults.remove(path['id'] ?? ''))
          throw notFound('id', 'no fault has this id');
        return { status: 204 };
      },
    },
  ];
}

function plantRoute({ apiFaults, clock }: LabServices): ControlRoute<FaultOrder> {
  return {
    operationId: 'plantFault',
    async handle({ body }) {
      refuseUnknownOperation(body.match);
      refuseUnclear(body.effect);
      const fault = apiFaults.plant(body, clock.now());
      if (fault === null) throw tooMany();
      return { status: 201, body: fault };
    },
  };
}

function refuseUnknownOperation({ operationId }: FaultMatch): void {
  if (operationId === undefined || Object.hasOwn(REQUIREMENTS, operationId)) return;
  const known = Object.keys(REQUIREMENTS).join(', ');
  throw badRequest('invalid_value', 'match.operationId', `must be one of ${known}`);
}

function refuseUnclear({
  latencyMilliseconds,
  retryAfter: _besideStatus,
  ...ends
}: FaultEffect): void {
  const named = Object.keys(ends);
  if (named.length > 1) {
    throw badRequest('invalid_value', 'effect', `must have one end, but has ${named.join(', ')}`);
  }
  if (named.length === 0 && latencyMilliseconds === undefined) {
    const message = 'needs latencyMilliseconds, or one of status, reset and truncateBody';
    throw badRequest('invalid_value', 'effect', message);
  }
}

function tooMany(): ApiError {
  const message = `there may be ${MOST_FAULTS} faults, and ${MOST_FAULTS} lie in wait already`;
  return new ApiError(409, [issue('too_many_faults', ROOT, message)], {
    hint: 'Remove what is not needed any more: DELETE /_control/faults/{id}, or all: DELETE /_control/faults.',
  });
}

/** Rate limits, and whether requests can be counted. */
export function limitRoutes(services: LabServices): ControlRoute[] {
  return [
    {
      operationId: 'getLimits',
      handle: async () => ({ status: 200, body: services.limits.settings }),
    },
    changeRoute(services),
  ];
}

function changeRoute({ limits }: LabServices): ControlRoute<LimitsChange> {
  return {
    operationId: 'changeLimits',
    async handle({ body }) {
      limits.change(body);
      return { status: 200, body: limits.settings };
    },
  };
}
