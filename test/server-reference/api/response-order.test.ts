import { afterAll, expect, test } from 'vitest';

import { call } from '../contract-client.ts';
import { openApp } from '../open-app.ts';

const app = await openApp();
afterAll(() => app.close());

/** Each of these is wrong in form, and names an unknown id. */
test.each([
  ['PATCH', '/v1/automations/wf_unknown', { folderId: 'nope' }, 'folderId'],
  ['PATCH', '/v1/automations/wf_unknown', { folderPath: 'Finance/..' }, 'folderPath'],
  ['PATCH', '/v1/automations/wf_unknown', {}, '<root>'],
  ['PATCH', '/v1/automations/wf_1/dataset-review-requests/review_1', { title: 1 }, 'title'],
  ['PATCH', '/v1/automations/wf_1/examples/ex_1/expected/a', { newFilename: 'b/c' }, 'newFilename'],
  ['DELETE', '/v1/automations/wf_1/examples/ex_1/input/a%2F..', undefined, 'path'],
  ['GET', '/v1/automations/wf_unknown/dataset/export?exampleIds=', undefined, 'exampleIds'],
  ['GET', '/v1/runs?automationId=wf_unknown&cursor=done', undefined, 'cursor'],
  ['POST', '/v1/runs', { target: 'wf_unknown', input: { $outcome: 'x' } }, 'input.$outcome'],
  [
    'POST',
    '/v1/runs/exec_unknown/feedback/expected',
    { outputFileName: 'a', expectedName: '/' },
    'expectedName',
  ],
] as const)(
  '%s %s %j gets 400 for its form before 404 for its id',
  async (method, path, json, field) => {
    const key = app.world.keys.wildcard;
    const { status, body } = await call(app.listener, { method, path, key, json });
    expect(body.issues).toMatchObject([{ field }]);
    expect(status).toBe(400);
  },
);
