import { REQUIREMENTS } from '../../operations.ts';
import { ROOT, invalidValue, notFound, refusal } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import { apiFaultView, MAX_API_FAULTS } from '../api-faults/api-fault-plan.ts';
import type { InjectedApiFault } from '../api-faults/api-fault-plan.ts';
import type { ApiFaultEffect, ApiFaultMatch, ApiFaultOrder } from '../api-faults/api-fault.ts';
import type { ControlRoute } from './operation.ts';
import { pageBy } from './page.ts';
import type { LabServices } from './services.ts';

/** Routes for API faults: failures injected into incoming requests. */
export function apiFaultRoutes(services: LabServices): ControlRoute[] {
  const { clock } = services;
  return [
    injectRoute(services),
    {
      operationId: 'listApiFaults',
      async handle({ page }) {
        const body = pageBy(injectionOf, services.apiFaults.list(), page, (fault) =>
          apiFaultView(fault, clock.now()),
        );
        return { status: 200, body };
      },
    },
    {
      operationId: 'removeApiFaults',
      async handle() {
        services.apiFaults.clear();
        return { status: 204 };
      },
    },
    {
      operationId: 'removeApiFault',
      async handle({ path }) {
        if (!services.apiFaults.remove(path['id'] ?? ''))
          throw notFound('id', 'no API fault has this id');
        return { status: 204 };
      },
    },
  ];
}

function injectionOf({ id, injectedAt }: InjectedApiFault) {
  return { id, createdAt: injectedAt };
}

function injectRoute({
  apiFaults,
  changes,
  clock,
  expiries,
}: LabServices): ControlRoute<ApiFaultOrder> {
  return {
    operationId: 'injectApiFault',
    async handle({ body }) {
      refuseUnknownOperation(body.match);
      refuseUnclear(body.effect);
      const fault = apiFaults.inject(body, clock.now());
      if (fault === null) throw tooMany();
      expiries.after(fault.expiresInMilliseconds, () => apiFaults.remove(fault.id));
      changes.announce();
      return { status: 201, body: apiFaultView(fault, clock.now()) };
    },
  };
}

function refuseUnknownOperation({ operationId }: ApiFaultMatch): void {
  if (operationId === undefined || Object.hasOwn(REQUIREMENTS, operationId)) return;
  const known = Object.keys(REQUIREMENTS).join(', ');
  throw invalidValue('match.operationId', `must be one of ${known}`);
}

function refuseUnclear({
  latencyMilliseconds,
  retryAfter: _besideStatus,
  ...ends
}: ApiFaultEffect): void {
  const named = Object.keys(ends);
  if (named.length > 1) {
    throw invalidValue(
      'effect',
      `must have only one of status, reset and truncateBody, got ${named.join(', ')}`,
    );
  }
  if (named.length === 0 && latencyMilliseconds === undefined) {
    const message = 'must have latencyMilliseconds, or one of status, reset and truncateBody';
    throw invalidValue('effect', message);
  }
}

function tooMany(): ApiError {
  const message = `at most ${MAX_API_FAULTS} API faults can be armed, got one more`;
  return refusal('too_many_api_faults', ROOT, message, {
    hint: 'Remove one fault with DELETE /_control/api-faults/{id}, or all with DELETE /_control/api-faults.',
  });
}
