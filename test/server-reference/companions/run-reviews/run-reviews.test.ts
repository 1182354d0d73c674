import { virtualClock } from '@hookproof/server-reference';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { controlClient, START } from '../../lab/control/control-client.ts';
import { openApp } from '../../open-app.ts';

const clock = virtualClock({ now: START });
const app = await openApp({ clock });
afterAll(() => app.close());
const control = controlClient(app);
const { wildcard } = app.world.keys;
const me = (await call(app.listener, { path: '/v1/auth/check', key: wildcard })).body;

let path: string;
beforeEach(async () => {
  const { id } = await control.run({ status: 'completed', output: { total: 3 } });
  path = `/v1/runs/${id}/reviews`;
});

function put(json: unknown): Promise<ApiResponse> {
  return call(app.listener, { method: 'PUT', path, key: wildcard, json });
}

function patch(json: unknown): Promise<ApiResponse> {
  return call(app.listener, { method: 'PATCH', path, key: wildcard, json });
}

function ask(): Promise<ApiResponse> {
  return call(app.listener, { path, key: wildcard });
}

function now(): string {
  return new Date(clock.now()).toISOString();
}

const CLOSED_BY_ME = { closedBy: me.userId, closedByEmail: me.email, closedNote: null };
const OPEN = { closedBy: null, closedByEmail: null, closedAt: null, closedNote: null };

describe('PUT /v1/runs/{id}/reviews', () => {
  test('creates a review in the name of the user of the key', async () => {
    const { status, body } = await put({ verdict: 'incorrect', note: 'One too few.' });
    expect([status, body]).toEqual([
      200,
      {
        review: {
          id: expect.stringMatching(/^runreview_[0-9a-f]{20}$/),
          verdict: 'incorrect',
          status: 'open',
          note: 'One too few.',
          reviewedBy: me.userId,
          reviewedByEmail: me.email,
          reviewedAt: now(),
          ...OPEN,
          createdAt: now(),
          updatedAt: now(),
          corrections: [],
          correctedOutput: null,
        },
      },
    ]);
    expect((await ask()).body).toEqual(body);
  });

  test.each([
    [{}, { verdict: null, status: 'open', note: '' }],
    [
      { verdict: null, note: null },
      { verdict: null, status: 'open', note: '' },
    ],
    [{ verdict: 'correct' }, { verdict: 'correct', status: 'closed' }],
    [{ verdict: 'incorrect' }, { verdict: 'incorrect', status: 'open' }],
    [
      { verdict: 'correct', status: 'open' },
      { verdict: 'correct', status: 'open' },
    ],
    [{ status: 'closed' }, { verdict: null, status: 'closed' }],
    [
      { verdict: 'incorrect', status: 'wont_fix' },
      { verdict: 'incorrect', status: 'wont_fix' },
    ],
    [{ correctedOutput: [1] }, { correctedOutput: [1] }],
    [{ reviewedBy: 'me', closedNote: 'mine', unknown: 1 }, OPEN],
  ])('makes of %j: %j', async (json, expected) => {
    const { body } = await put(json);
    expect(body.review).toMatchObject(expected);
    const closing = body.review.status === 'open' ? OPEN : { ...CLOSED_BY_ME, closedAt: now() };
    expect(body.review).toMatchObject(closing);
    expect(body.review).not.toHaveProperty('unknown');
  });

  test('replaces verdict, status and note, and keeps id and creation', async () => {
    const { body: first } = await put({ verdict: 'correct', note: 'Good.' });
    await clock.advance(1000);
    const { body: second } = await put({});
    expect(second.review).toEqual({
      ...first.review,
      ...OPEN,
      verdict: null,
      status: 'open',
      note: '',
      reviewedAt: now(),
      updatedAt: now(),
    });
  });

  test('keeps who closed a review until its status changes', async () => {
    const { body: first } = await put({ status: 'closed' });
    await clock.advance(1000);
    const { body: again } = await put({ status: 'closed', note: 'Still.' });
    expect(again.review.closedAt).toBe(first.review.closedAt);
    const { body: other } = await put({ status: 'wont_fix' });
    expect(other.review).toMatchObject({ ...CLOSED_BY_ME, closedAt: now() });
    expect((await put({ status: 'open' })).body.review).toMatchObject(OPEN);
  });

  test('keeps corrections and corrected output where the request has none, and clears by null', async () => {
    const correction = { kind: 'field', path: '/total', correctedValue: 4 };
    const { body: first } = await put({ corrections: [correction], correctedOutput: { total: 4 } });
    const { body: kept } = await put({ note: 'Later.' });
    expect(kept.review.corrections).toEqual(first.review.corrections);
    expect(kept.review.correctedOutput).toEqual({ total: 4 });
    const { body: cleared } = await put({ corrections: [], correctedOutput: null });
    expect(cleared.review).toMatchObject({ corrections: [], correctedOutput: null });
  });

  test('shows every member of a correction', async () => {
    const { body } = await put({
      corrections: [
        { kind: 'field', path: '/total' },
        {
          kind: 'file',
          path: 'output/totals.csv',
          label: 'Totals',
          note: 'Wrong sum.',
          originalValue: 'a',
          correctedValue: false,
          correctedArtifactPath: 'totals.csv',
        },
        { kind: 'field', path: '/x', label: null, note: null, correctedArtifactPath: null },
      ],
    });
    const drawn = {
      id: expect.stringMatching(/^correction_[0-9a-f]{20}$/),
      createdAt: now(),
      updatedAt: now(),
    };
    const bare = { ...drawn, kind: 'field', note: '', originalValue: null, correctedValue: null };
    expect(body.review.corrections).toEqual([
      { ...bare, path: '/total', label: '/total' },
      {
        ...drawn,
        kind: 'file',
        path: 'output/totals.csv',
        label: 'Totals',
        note: 'Wrong sum.',
        originalValue: 'a',
        correctedValue: false,
        correctedArtifactPath: 'totals.csv',
      },
      { ...bare, path: '/x', label: '/x' },
    ]);
  });

  test('replaces the set of corrections; a known id keeps its creation, another is drawn', async () => {
    const { body: first } = await put({
      corrections: ['/a', '/b'].map((one) => ({ kind: 'field', path: one })),
    });
    const [a] = first.review.corrections;
    await clock.advance(1000);
    const { body: second } = await put({
      corrections: [
        { kind: 'field', path: '/changed', id: a.id },
        { kind: 'field', path: '/repeated', id: a.id },
        { kind: 'field', path: '/unknown', id: 'correction_mine' },
      ],
    });
    const [kept, repeated, unknown] = second.review.corrections;
    expect(second.review.corrections).toHaveLength(3);
    expect(kept).toMatchObject({ id: a.id, createdAt: a.createdAt, updatedAt: now() });
    for (const one of [repeated, unknown]) {
      expect(one).toMatchObject({ id: expect.stringMatching(/^correction_/), createdAt: now() });
    }
    expect(new Set([a.id, 'correction_mine', repeated.id, unknown.id]).size).toBe(4);
  });

  test('begins again after the review was cleared', async () => {
    const { body: first } = await put({ verdict: 'correct' });
    await call(app.listener, { method: 'DELETE', path, key: wildcard });
    expect((await ask()).body).toEqual({ review: null });
    expect((await put({})).body.review.id).not.toBe(first.review.id);
  });

  test.each([
    [{ verdict: 'nit' }, 'verdict'],
    [{ status: 'done' }, 'status'],
    [{ status: null }, 'status'],
    [{ note: 5 }, 'note'],
    [{ corrections: {} }, 'corrections'],
    [{ corrections: null }, 'corrections'],
    [{ corrections: [{ path: '/a' }] }, 'corrections[0].kind'],
    [{ corrections: [{ kind: 'field' }] }, 'corrections[0].path'],
    [{ corrections: [{ kind: 'field', path: '' }] }, 'corrections[0].path'],
    [{ corrections: [{ kind: 'artifact', path: 'a' }] }, 'corrections[0].kind'],
    [{ corrections: [{ kind: 'file', path: 'a', label: 1 }] }, 'corrections[0].label'],
    [{ corrections: [{ kind: 'file', path: 'a', id: null }] }, 'corrections[0].id'],
    [[], '<root>'],
    [undefined, '<root>'],
  ])('refuses %j and changes nothing', async (json, field) => {
    const { status, body } = await put(json);
    expect([status, body.issues[0].field, body.issues[0].code]).toEqual([
      400,
      field,
      'invalid_value',
    ]);
    expect((await ask()).body).toEqual({ review: null });
  });

  test('names every value that a verdict can have', async () => {
    const { body } = await put({ verdict: 'nit' });
    expect(body.issues[0].message).toBe('must be one of correct, incorrect, null, got "nit"');
  });
});

describe('PATCH /v1/runs/{id}/reviews', () => {
  test('changes the given members, and closes the review by default', async () => {
    const correction = { kind: 'field', path: '/total', correctedValue: 4 };
    const { body: first } = await put({
      verdict: 'incorrect',
      note: 'One too few.',
      corrections: [correction],
      correctedOutput: { total: 4 },
    });
    await clock.advance(1000);
    const { status, body } = await patch({});
    const closed = { status: 'closed', ...CLOSED_BY_ME, closedAt: now() };
    const moved = { reviewedAt: now(), updatedAt: now() };
    expect([status, body.review]).toEqual([200, { ...first.review, ...closed, ...moved }]);
    expect((await patch({ note: 'Done.' })).body.review).toMatchObject({
      verdict: 'incorrect',
      note: 'Done.',
      status: 'closed',
    });
  });

  test.each([
    [{ status: 'wont_fix' }, { status: 'wont_fix', verdict: 'correct', note: 'Good.' }],
    [{ status: 'open' }, { status: 'open', ...OPEN }],
    [{ verdict: null }, { verdict: null, status: 'closed', note: 'Good.' }],
    [{ note: null }, { verdict: 'correct', note: '' }],
    [{ corrections: [] }, { corrections: [], note: 'Good.' }],
  ])('makes of %j: %j', async (json, expected) => {
    await put({ verdict: 'correct', note: 'Good.' });
    expect((await patch(json)).body.review).toMatchObject(expected);
  });

  test('creates a review where there is none', async () => {
    expect((await patch({})).body.review).toMatchObject({
      verdict: null,
      status: 'closed',
      note: '',
    });
  });

  test('refuses what PUT refuses', async () => {
    const { status, body } = await patch({ status: 'done' });
    expect([status, body.issues[0].field]).toEqual([400, 'status']);
    expect((await ask()).body).toEqual({ review: null });
  });
});
