import { beforeAll, describe, expect, test } from 'vitest';

import { pick, scenarioResults } from './scenario-results.ts';
import type { ScenarioResult } from './scenario-results.ts';

describe('the gate on the wire', () => {
  let results: Record<string, ScenarioResult> = {};

  beforeAll(async () => {
    results = await scenarioResults();
  });

  test('sends no refused request and reports it, even when the check catches the refusal', () => {
    const { report, seen } = pick(results, 'sneaky');
    expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(report.wire).toMatchObject({ writes: 0, bytesSent: 0 });
    expect(report.checks.map(({ id, verdict, message }) => [id, verdict, message])).toEqual([
      [
        'api.sneaky',
        'harness-error',
        'refused before sending: POST needs access write or delete, the check has read',
      ],
      [
        'api.swallows',
        'harness-error',
        'refused before sending: DELETE needs access write or delete, the check has read',
      ],
      ['api.escapes', 'harness-error', expect.stringContaining('outside the origins of this run')],
      ['api.passes', 'pass', 'does api.passes'],
    ]);
  });

  test('sends nothing for locked checks and counts them', () => {
    const { report, seen } = pick(results, 'locked');
    expect(seen.some(({ method }) => method !== 'GET')).toBe(false);
    expect(report.headline).toBe(
      'conformant, read-only: 1 check needs --allow-writes; 1 check needs --allow-deletes',
    );
    expect(report.counts.locked).toBe(2);
  });

  test('counts the requests of an unlocked run', () => {
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

  test('names the remedy when the sender side is locked', () => {
    const [sender] = pick(results, 'senderLocked').report.checks;
    expect(sender).toMatchObject({
      verdict: 'could-not-run',
      remedies: [{ text: '--allow-writes' }],
    });
  });

  test('keeps the rate limit of the API', () => {
    const { report, seen } = pick(results, 'paced');
    // Timers never fire early: four requests at twenty a second are three gaps of 50 ms.
    expect(seen).toHaveLength(4);
    expect(report.durationMilliseconds).toBeGreaterThanOrEqual(147);
  });

  test('keeps the rate limit of a receiver, one check at a time', () => {
    const { report, events } = pick(results, 'pacedReceiver');
    expect(events).toEqual([
      'receiver.a begins',
      'receiver.a ends',
      'receiver.b begins',
      'receiver.b ends',
    ]);
    // Five show that this receiver responds and accepts forgeries too, and one is of each check: six gaps of 50 ms.
    expect(report.wire.deliveries).toBe(7);
    expect(report.durationMilliseconds).toBeGreaterThanOrEqual(297);
  });

  test('waits as Retry-After asks', () => {
    const { report, seen } = pick(results, 'throttled');
    expect(report.outcome).toBe('conformant');
    expect(seen.filter(({ path }) => path === '/v1/templates')).toHaveLength(5);
  });

  test('gives up after 8 attempts or a wait that is too long, as inconclusive', () => {
    const attempts = (name: string): number =>
      pick(results, name).seen.filter(({ path }) => path === '/v1/templates').length;
    // Four attempts for discovery, four for the check.
    expect(attempts('alwaysThrottled')).toBe(16);
    expect(attempts('longThrottled')).toBe(2);
    const [check] = pick(results, 'longThrottled').report.checks;
    expect(check?.verdict).toBe('inconclusive');
    expect(check?.message).toMatch(/still got 503 on attempt 1, with Retry-After 3600\.$/);
  });

  test('stops at the maximum number of requests', () => {
    const { report, seen } = pick(results, 'budget');
    expect(seen).toHaveLength(4);
    expect(report.checks.map(({ verdict, message }) => [verdict, message])).toEqual([
      ['pass', 'does api.passes'],
      ['could-not-run', 'the run has sent its maximum of 4 requests'],
    ]);
  });

  test('repeats at most half as many requests on top', () => {
    const { report, seen } = pick(results, 'budgetOfRepeats');
    expect(seen).toHaveLength(6);
    expect(report.checks.map(({ message }) => message)).toEqual([
      'the run has sent its maximum of 4 requests',
    ]);
  });

  test('repeats a read on a new connection when its connection is lost', () => {
    const { report, seen } = pick(results, 'lostConnection');
    expect(report.outcome).toBe('conformant');
    const ports = seen.filter(({ path }) => path === '/v1/lost').map(({ port }) => port);
    expect(ports).toHaveLength(3);
    expect(new Set(ports).size).toBe(3);
  });

  test('keeps requests of the maximum to confirm failures', () => {
    const { report, seen } = pick(results, 'budgetOfFailure');
    expect(seen).toHaveLength(12);
    expect(report.outcome).toBe('violated');
    expect(report.checks[0]?.verdict).toBe('fail');
    expect(report.checks.at(-1)?.message).toBe('the run has sent its maximum of 12 requests');
  });
});
