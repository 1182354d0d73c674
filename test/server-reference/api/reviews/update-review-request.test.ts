import { virtualClock } from '@hookproof/server-reference';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';
import type { OpenApp } from '../../open-app.ts';

const NOW = Date.parse('2026-05-04T12:00:00.000Z');
const clock = virtualClock({ now: NOW });

let app: OpenApp;
beforeEach(async () => {
  app = await openApp({ clock });
});
afterEach(() => app.close());

function update(reviewId: string, json: unknown, automation?: string): Promise<ApiResponse> {
  const { reviewAutomationId } = app.world.fixtures;
  return call(app.listener, {
    method: 'PATCH',
    path: `/v1/automations/${automation ?? reviewAutomationId}/dataset-review-requests/${reviewId}`,
    key: app.world.keys.wildcard,
    json,
  });
}

describe('PATCH /v1/automations/{id}/dataset-review-requests/{reviewId}', () => {
  test('records the changes of every field in the history', async () => {
    const { openReviewId } = app.world.fixtures;
    const changes = {
      title: 'Carriers, second look',
      instructions: 'Use the register of carriers.',
      focusFields: [
        { path: 'carrier', reason: 'Renamed in spring' },
        { path: 'a', reason: null },
        { path: 'b' },
      ],
      ignoredFields: ['pallets', ''],
      status: 'paused',
    };
    const { body } = await update(openReviewId, changes);
    expect(body.events.at(-1)).toMatchObject({
      reviewId: openReviewId,
      action: 'updated',
      diffSummary: changes,
      createdAt: '2026-05-04T12:00:00.000Z',
    });
  });

  test('keeps the newest events of a history that grows without end', async () => {
    const { openReviewId } = app.world.fixtures;
    const instructions = 'x'.repeat(10_000);
    for (let number = 1; number <= 12; number += 1) {
      const { body } = await update(openReviewId, { title: `Title ${number}`, instructions });
      expect(body.events.at(-1).diffSummary.title).toBe(`Title ${number}`);
      expect(JSON.stringify(body.events).length).toBeLessThan(66_000);
    }
    const { body } = await update(openReviewId, { instructions: 'y'.repeat(100_000) });
    expect(body.events).toHaveLength(1);
  });

  test.each([{}, { titel: 'misspelt', tenantId: 'x', id: 'y' }])(
    'accepts %j as no change',
    async (json) => {
      const { draftReviewId, closedReviewId } = app.world.fixtures;
      const { body: before } = await update(draftReviewId, { title: 'New title' });
      const { status, body } = await update(draftReviewId, json);
      expect(status).toBe(200);
      expect(body).toEqual(before);
      expect((await update(closedReviewId, json)).status).toBe(409);
    },
  );

  test('closes a request for good, with the time', async () => {
    const { openReviewId } = app.world.fixtures;
    const { body } = await update(openReviewId, { status: 'closed' });
    expect(body).toMatchObject({ status: 'closed', closedAt: '2026-05-04T12:00:00.000Z' });
    expect(body.events.at(-1).action).toBe('closed');
    for (const status of ['open', 'closed']) {
      const refused = await update(openReviewId, { status });
      expect(refused.status).toBe(409);
      expect(refused.body.issues).toMatchObject([{ field: 'reviewId', code: 'review_closed' }]);
    }
  });

  test('changes between draft, open and paused in any order', async () => {
    const { draftReviewId } = app.world.fixtures;
    for (const status of ['open', 'paused', 'draft', 'paused', 'open', 'open']) {
      expect((await update(draftReviewId, { status })).body.status).toBe(status);
    }
  });

  test('keeps the properties of a focus field that the contract names', async () => {
    const { openReviewId } = app.world.fixtures;
    const { body } = await update(openReviewId, {
      focusFields: [{ path: 'a', reason: 'b', colour: 'red' }],
    });
    expect(body.focusFields).toEqual([{ path: 'a', reason: 'b' }]);
    expect(body.events.at(-1).diffSummary).toEqual({ focusFields: [{ path: 'a', reason: 'b' }] });
  });

  test('responds 404 to a request of another automation of the tenant', async () => {
    const { openReviewId, workflowId } = app.world.fixtures;
    const response = await update(openReviewId, { title: 'x' }, workflowId);
    expect(response.status).toBe(404);
  });

  test('names every wrong field of a body, up to twenty', async () => {
    const { openReviewId } = app.world.fixtures;
    const some = await update(openReviewId, {
      title: 1,
      focusFields: ['carrier', { path: '' }, { path: 'a', reason: '' }],
      ignoredFields: ['a', 1],
    });
    expect(some.body.issues.map((one: { field: string }) => one.field).toSorted()).toEqual([
      'focusFields[0]',
      'focusFields[1].path',
      'focusFields[2].reason',
      'ignoredFields[1]',
      'title',
    ]);
    const many = await update(openReviewId, {
      ignoredFields: Array.from({ length: 500 }, () => 1),
    });
    expect(many.body.issues).toHaveLength(20);
  });
});

/** By example, after an update of the title. */
async function drifted(title: string): Promise<Map<string, boolean>> {
  const { body } = await update(app.world.fixtures.openReviewId, { title });
  const items: { exampleName: string; inputDrifted: boolean }[] = body.items;
  return new Map(items.map((item) => [item.exampleName, item.inputDrifted]));
}

describe('inputDrifted of an item', () => {
  type Change = (example: string) => {
    readonly method: 'PATCH' | 'DELETE';
    readonly path: string;
    readonly json?: object;
  };

  test.each<[string, Change]>([
    ['an input file is deleted', (path) => ({ method: 'DELETE', path })],
    ['an input file is renamed', (path) => ({ method: 'PATCH', path, json: { newFilename: 'a' } })],
    [
      'the input changes',
      (path) => ({
        method: 'PATCH',
        path: path.replace(/\/input.*/, ''),
        json: { input: { a: 1 } },
      }),
    ],
    [
      'the example is deleted',
      (path) => ({ method: 'DELETE', path: path.replace(/\/input.*/, '') }),
    ],
  ])('becomes true when %s', async (_what, change) => {
    const key = app.world.keys.wildcard;
    const examples = `/v1/automations/${app.world.fixtures.reviewAutomationId}/examples`;
    const before = await drifted('before');
    const list = await call(app.listener, { path: examples, key });
    const rows: { id: string; name: string }[] = list.body.data;
    const chosen = rows.find(({ name }) => before.get(name) === false);
    const example = `${examples}/${chosen?.id}`;
    const inputs = await call(app.listener, { path: `${example}/input`, key });
    const { status } = await call(app.listener, {
      ...change(`${example}/input/${inputs.body.files[0]}`),
      key,
    });
    expect(status).toBeLessThan(300);
    const expected = new Map(before).set(chosen?.name ?? '', true);
    expect(await drifted('after')).toEqual(expected);
  });

  test('stays what it is when the expected output changes', async () => {
    const key = app.world.keys.wildcard;
    const examples = `/v1/automations/${app.world.fixtures.reviewAutomationId}/examples`;
    const before = await drifted('before');
    const list = await call(app.listener, { path: examples, key });
    for (const { id } of list.body.data) {
      const json = { expected: { changed: true }, annotation: 'changed' };
      await call(app.listener, { method: 'PATCH', path: `${examples}/${id}`, key, json });
    }
    expect(await drifted('after')).toEqual(before);
  });

  test('is true for some items of the seeded requests', async () => {
    const found: boolean[] = [];
    const key = app.world.keys.wildcard;
    const path = '/v1/dataset-review-requests?status=draft,open,paused&limit=100';
    const { body } = await call(app.listener, { path, key });
    for (const { id, automationId } of body.data) {
      const { items } = (await update(id, {}, automationId)).body;
      found.push(...items.map((item: { inputDrifted: boolean }) => item.inputDrifted));
    }
    expect(found.filter(Boolean).length).toBeGreaterThan(0);
    expect(found.filter((one) => !one).length).toBeGreaterThan(0);
  });
});
