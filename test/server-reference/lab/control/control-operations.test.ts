import { RUN_STATUSES } from '@hookproof/spec';
import {
  DELIVERY_FAULT_NAMES,
  listControlOperations,
  loadControl,
  WORLD_FIXTURE_NAMES,
} from '@hookproof/spec/control';
import { expect, test } from 'vitest';

import { SCOPES } from '../../../../server-reference/src/api/auth/api-key.ts';
import { MAX_WINDOW_SECONDS } from '../../../../server-reference/src/api/rate-limit.ts';
import { ERRORS } from '../../../../server-reference/src/errors.ts';
import { controlRoutes } from '../../../../server-reference/src/lab/control/control-interface.ts';
import { DEFAULTS } from '../../../../server-reference/src/lab/delivery-faults/delivery-fault.ts';
import { startControlled } from './control-client.ts';

const document = loadControl();
const operations = listControlOperations(document);
const { schemas } = document.components;

test('control.yaml and the server have the same operations', () => {
  // Services are used only by requests.
  // @ts-expect-error -- see above
  const routes = controlRoutes({}).map(({ operationId }) => operationId);
  expect(routes.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
});

test('control.yaml and the server have the same enumerations and bounds', () => {
  expect(schemas['Scope']?.enum).toEqual(SCOPES);
  expect(schemas['RunStatus']?.enum).toEqual(RUN_STATUSES);
  const { windowSeconds } = schemas['RateLimit']?.properties ?? {};
  expect(windowSeconds).toMatchObject({ maximum: MAX_WINDOW_SECONDS });
});

test.each(DELIVERY_FAULT_NAMES)(
  'the defaults of %s are the same in control.yaml and in the server',
  (name) => {
    const order = Object.values(schemas).find(
      ({ properties }) => properties?.['name'] && properties['name'].const === name,
    );
    const defaults = Object.entries(order?.properties ?? {}).flatMap(([key, schema]) =>
      schema && schema.default !== undefined ? [[key, schema.default] as const] : [],
    );
    expect(Object.fromEntries(defaults)).toEqual(DEFAULTS[name]);
  },
);

test('the server has every error code of control.yaml', () => {
  const codes = Object.values(document.components.responses).flatMap((one) => one['x-codes'] ?? []);
  expect(codes.filter((code) => !(code in ERRORS))).toEqual([]);
});

test('a world has every fixture that control.yaml names', async () => {
  const { server } = await startControlled();
  expect(Object.keys(server.world.fixtures).toSorted()).toEqual(WORLD_FIXTURE_NAMES.toSorted());
});
