import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { expectStatus } from '../../../check-kit/expect.ts';
import { frameOf, titleOf } from '../operations/operation.ts';
import type { ApiOperation } from '../operations/operation.ts';
import { assumeGranted, probe, withKey } from '../operations/probe.ts';
import { OPERATIONS } from '../operations/table.ts';

/** 401 for a request without a key or with an unknown one, of every operation. */
export const authChecks: readonly Check[] = OPERATIONS.flatMap((operation) => [
  missingKey(operation),
  unknownKey(operation),
]);

function missingKey(operation: ApiOperation): Check {
  return area('api.missing-key', frameOf(operation)).check({
    name: operation.name,
    requirements: [
      'auth.missing-key',
      'auth.every-operation',
      'auth.header.bearer',
      'status-code.401',
      ...errorsOf(operation),
    ],
    title: `refuses ${titleOf(operation)} without a key, with 401`,
    async run(context) {
      await assumeGranted(context, operation);
      const { response } = await probe(
        context,
        operation,
        withKey(operation, () => null),
      );
      expectStatus(response, 401);
    },
  });
}

function unknownKey(operation: ApiOperation): Check {
  return area('api.unknown-key', frameOf(operation)).check({
    name: operation.name,
    requirements: [
      'auth.invalid-key',
      'auth.every-operation',
      'status-code.401',
      ...errorsOf(operation),
    ],
    title: `refuses ${titleOf(operation)} with an unknown key, with 401`,
    async run(context) {
      await assumeGranted(context, operation);
      const { response } = await probe(
        context,
        operation,
        withKey(operation, ({ key }) => ({ unlike: key })),
      );
      expectStatus(response, 401);
    },
  });
}

function errorsOf({ name }: ApiOperation): readonly string[] {
  return name === 'inbox' ? ['inbox.errors'] : [];
}
