import { ApiError, ROOT, badRequest, issue, notFound } from '../app/api-error.ts';
import type { Services } from '../app/handler.ts';
import { REQUIREMENTS } from '../app/scopes.ts';
import { MOST_FAULTS } from '../faults/fault-plan.ts';
import type { FaultEffect, FaultOrder } from '../faults/fault.ts';
import type { ControlRoute } from './control-route.ts';

/** Planted faults: what befalls which requests. */
export function faultRoutes(services: Services): ControlRoute[] {
  return [
    plantRoute(services),
    {
      method: 'GET',
      path: '/faults',
      handle: async () => ({ status: 200, body: { data: services.faults.list() } }),
    },
    {
      method: 'DELETE',
      path: '/faults',
      async handle() {
        services.faults.clear();
        return { status: 204 };
      },
    },
    {
      method: 'DELETE',
      path: '/faults/:id',
      async handle({ path }) {
        if (!services.faults.remove(path['id'] ?? '')) throw notFound('id', 'no fault has this id');
        return { status: 204 };
      },
    },
  ];
}

/** A day. */
const LONGEST_MILLISECONDS = 86_400_000;
const COUNT = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;
const TEXT = { type: 'string', minLength: 1, maxLength: 2000 } as const;

const EFFECT = {
  type: 'object',
  additionalProperties: false,
  properties: {
    latencyMilliseconds: { type: 'integer', minimum: 0, maximum: LONGEST_MILLISECONDS },
    status: { enum: [400, 401, 403, 404, 409, 413, 429, 500, 503] },
    retryAfter: { type: 'integer', minimum: 0, maximum: 86_400 },
    reset: { const: true },
    truncateBody: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER - 1 },
  },
  dependentRequired: { retryAfter: ['status'] },
};

function plantRoute({ faults, clock }: Services): ControlRoute<FaultOrder> {
  return {
    method: 'POST',
    path: '/faults',
    bodySchema: {
      type: 'object',
      additionalProperties: false,
      required: ['match', 'effect'],
      properties: {
        match: {
          type: 'object',
          additionalProperties: false,
          properties: {
            operationId: { enum: Object.keys(REQUIREMENTS) },
            key: TEXT,
            tenantId: TEXT,
            method: { enum: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'] },
            path: { ...TEXT, pattern: '^/[^?#]*$' },
          },
        },
        nth: COUNT,
        probability: { type: 'number', minimum: 0, maximum: 1 },
        times: COUNT,
        forMilliseconds: { ...COUNT, maximum: LONGEST_MILLISECONDS },
        effect: EFFECT,
      },
    },
    async handle({ body }) {
      refuseUnclear(body.effect);
      const fault = faults.plant(body, clock.now());
      if (fault === null) throw tooMany();
      return { status: 201, body: fault };
    },
  };
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
  const message = `there are ${MOST_FAULTS} faults already`;
  return new ApiError(409, [issue('too_many_faults', ROOT, message)], {
    hint: 'Remove those that have done their work: DELETE /_control/faults.',
  });
}
