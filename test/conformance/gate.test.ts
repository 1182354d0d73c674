import { beforeAll, describe, expect, test } from 'vitest';

import { pick, scenarioResults } from './scenario-results.ts';
import type { ScenarioResult } from './scenario-results.ts';

describe('the gate on the wire', () => {
  let results: Record<string, ScenarioResult> = {};

  beforeAll(async () => {
    results = await scenarioResults();
  });

  test('sends nothing that it refuses, and blames the check even when it hides the refusal', () => {
    const { report, seen } = pick(results, 'sneaky');
    expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(report.wire).toMatchObject({ writes: 0, bytesSent: 0 });
    expect(report.checks.map(({ id, verdict, message }) => [id, verdict, message])).toEqual([
      [
        'api.sneaky',
        'harness-error',
        'refused before the wire: a check that only reads asked for POST',
      ],
      [
        'api.swallows',
        'harness-error',
        'refused before the wire: a check that only reads asked for DELETE',
      ],
      ['api.escapes', 'harness-error', expect.stringContaining('not at an address of this run')],
      ['api.passes', 'pass', 'does api.passes'],
    ]);
  });

  test('keeps locked checks off the wire and counts them', () => {
    const { report, seen } = pick(results, 'locked');
    expect(seen.some(({ method }) => method !== 'GET')).toBe(false);
    expect(report.headline).toBe(
      'conformant, read-only: 1 check needs --allow-writes; 1 check needs --allow-deletes',
    );
    expect(report.locked).toBe(2);
    expect(report.counts['not-applicable']).toBe(2);
  });

  test('counts what an unlocked run sends', () => {
    const { report, seen } = pick(results, 'unlocked');
    expect(seen.filter(({ method }) => method !== 'GET').map(({ method }) => method)).toEqual([
      'PATCH',
      'DELETE',
    ]);
    expect(report.wire).toMatchObject({
      requests: seen.length,
      writes: 2,
      bytesSent: '{"folderId":null}'.length,
    });
    expect(report.headline).toBe('conformant');
  });

  test('says what the sender side lacks instead of letting it pass', () => {
    const [sender] = pick(results, 'senderLocked').report.checks;
    expect(sender).toMatchObject({ verdict: 'could-not-run', remedy: '--allow-writes' });
  });

  test('keeps its pace', () => {
    const { report, seen } = pick(results, 'paced');
    // Timers never fire early: four requests at twenty a second are three gaps of 50 ms.
    expect(seen).toHaveLength(4);
    expect(report.durationMilliseconds).toBeGreaterThanOrEqual(147);
  });

  test('keeps its pace with a receiver, one check after the other', () => {
    const { report, events } = pick(results, 'pacedReceiver');
    expect(events).toEqual([
      'receiver.a begins',
      'receiver.a ends',
      'receiver.b begins',
      'receiver.b ends',
    ]);
    expect(report.wire.deliveries).toBe(3);
    expect(report.durationMilliseconds).toBeGreaterThanOrEqual(98);
  });

  test('obeys Retry-After and counts no fault', () => {
    const { report, seen } = pick(results, 'throttled');
    expect(report.outcome).toBe('conformant');
    expect(seen.filter(({ path }) => path === '/v1/templates')).toHaveLength(5);
  });

  test('gives up within bounds, as inconclusive', () => {
    const tries = (name: string): number =>
      pick(results, name).seen.filter(({ path }) => path === '/v1/templates').length;
    // Four tries for the walk of the lists, four for the check.
    expect(tries('alwaysThrottled')).toBe(8);
    expect(tries('longThrottled')).toBe(2);
    const [check] = pick(results, 'longThrottled').report.checks;
    expect(check?.verdict).toBe('inconclusive');
    expect(check?.message).toMatch(/was still answered 503 at try 1, with Retry-After 3600$/);
  });

  test('keeps to its budget of requests', () => {
    const { report, seen } = pick(results, 'budget');
    expect(seen).toHaveLength(4);
    expect(report.checks.map(({ verdict, message }) => [verdict, message])).toEqual([
      ['pass', 'does api.passes'],
      ['could-not-run', 'the budget of 4 requests is spent'],
    ]);
  });
});
