import { realClock, virtualClock } from '@hookproof/server-reference';
import { describe, expect, test } from 'vitest';

import { openControlled } from './control-client.ts';

describe('the clock', () => {
  test('advances if it is virtual', async () => {
    const control = await openControlled();
    const before = { mode: 'virtual', now: '2026-07-01T00:00:00.000Z', nextDueAt: null };
    expect(await control.expectOk(200, '/clock')).toEqual(before);
    const after = { mode: 'virtual', now: '2026-07-01T00:01:00.000Z', nextDueAt: null };
    expect(await control.expectOk(200, '/clock/advance', { milliseconds: 60_000 })).toEqual(after);
    expect(await control.expectOk(200, '/clock')).toEqual(after);
  });

  test('reports when the next scheduled transition is due', async () => {
    const control = await openControlled();
    await control.run({ scheduledTransitions: [{ status: 'running', afterMilliseconds: 90_000 }] });
    const nextDueAt = '2026-07-01T00:01:30.000Z';
    expect(await control.expectOk(200, '/clock')).toMatchObject({ nextDueAt });
    const later = await control.expectOk(200, '/clock/advance', { milliseconds: 90_000 });
    expect(later).toMatchObject({ now: nextDueAt, nextDueAt: null });
  });

  test('refuses to advance beyond the year 9999', async () => {
    const now = '9999-12-31T23:59:50.000Z';
    const control = await openControlled({ clock: virtualClock({ now: Date.parse(now) }) });
    const { issues } = await control.expectError(400, '/clock/advance', {
      json: { milliseconds: 10_000 },
    });
    expect(issues).toMatchObject([
      { field: 'milliseconds', code: 'invalid_value', message: expect.stringContaining(now) },
    ]);
    expect(await control.expectOk(200, '/clock')).toMatchObject({ now, nextDueAt: null });
  });

  test('refuses to advance if it is real, and the error says what to do', async () => {
    const control = await openControlled({ clock: realClock() });
    const { mode, now } = await control.expectOk<{ mode: string; now: string }>(200, '/clock');
    expect([mode, new Date(now).toISOString()]).toEqual(['real', now]);
    const { issues, hint } = await control.expectError(409, '/clock/advance', {
      json: { milliseconds: 1 },
    });
    expect(issues[0]?.code).toBe('clock_not_virtual');
    expect(hint).toContain('hookproof serve --clock virtual');
  });
});
