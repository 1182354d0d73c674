import { afterAll, expect, test } from 'vitest';

import { openApp } from '../../open-app.ts';
import { controlClient } from './control-client.ts';

const app = await openApp();
afterAll(() => app.close());
const control = controlClient(app);

/** Rules that a schema cannot express. */
test.each([
  ['/keys', {}, '<root>', 'must have exactly one of scope and wildcard'],
  ['/keys', { scope: [], wildcard: true }, '<root>', 'must have exactly one of scope and wildcard'],
  [
    '/api-faults',
    { match: {}, effect: {} },
    'effect',
    'must have latencyMilliseconds, or one of status, reset and truncateBody',
  ],
  [
    '/api-faults',
    { match: {}, effect: { latencyMilliseconds: 1, status: 500, reset: true } },
    'effect',
    'must have only one of status, reset and truncateBody, got status, reset',
  ],
  [
    '/runs',
    { outputFiles: [{ path: 'a', text: '', contentType: 'text' }] },
    'outputFiles[0].contentType',
    'must be a media type such as text/csv',
  ],
])('%s %j is refused, and the error names the cause', async (path, json, field, message) => {
  const { issues } = await control.expectError(400, path, { json });
  expect(issues).toEqual([{ field, message, code: 'invalid_value', severity: 'error' }]);
});

/** For one of several forms, the error speaks of the form that was meant. */
test.each([
  ['/worlds', { world: 7 }, ['world: must be empty or object, got 7']],
  ['/worlds', { world: { trips: [] } }, ['world.trips: is not a known field']],
  ['/wait', {}, ['for: is required']],
  ['/wait', { for: 'delivery' }, ['id: is required']],
  ['/wait', { for: 'godot' }, ['for: must be one of delivery, idle, got "godot"']],
  [
    '/delivery-faults',
    { name: 'duplicate', copies: 11 },
    ['copies: must be an integer from 1 to 10, got 11'],
  ],
  ['/delivery-faults', { name: 'delay', copies: 1 }, ['copies: is not a known field']],
  [
    '/runs',
    { deliveryFaults: [{ name: 'delay', runId: 'x' }] },
    ['deliveryFaults[0].runId: must not be given here'],
  ],
])(
  '%s %j is refused, and the error names the cause and nothing else',
  async (path, json, expected) => {
    const { issues } = await control.expectError(400, path, { json });
    expect(issues.map(({ field, message }) => `${field}: ${message}`)).toEqual(expected);
  },
);

test('a fault for an unknown operation is refused with the list of operations', async () => {
  const json = { match: { operationId: 'listRun' }, effect: { status: 500 } };
  const { issues } = await control.expectError(400, '/api-faults', { json });
  expect(issues[0]).toMatchObject({ code: 'invalid_value', field: 'match.operationId' });
  expect(issues[0]?.message).toMatch(/^must be one of checkAuth, .*, listRuns,/);
});

test('the value of a filter is validated by its schema', async () => {
  const { issues } = await control.expectError(400, '/events?type=run.moved');
  expect(issues[0]).toMatchObject({
    field: 'type',
    message: 'must be one of run.created, run.status_changed, got "run.moved"',
  });
});
