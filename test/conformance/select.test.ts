import { describe, expect, test } from 'vitest';

import type { Check } from '../../conformance/src/check-kit/check.ts';
import { planFrom } from '../../conformance/src/options/plan.ts';
import type { Discovery } from '../../conformance/src/discover/discovery.ts';
import { obstacleTo } from '../../conformance/src/select/select.ts';

const RECEIVER = { url: 'http://127.0.0.1:9/', secret: 'whsec_only_for_this_test' };
const OBSERVED = { ...RECEIVER, observerUrl: 'http://127.0.0.1:9/seen' };
const NOTHING_LEARNED = {
  facts: { keys: {}, fixtures: {} },
  api: null,
  control: null,
  receiver: { clockOffsetMilliseconds: null },
} as const;
const EFFECT_CHECK: Check = {
  id: 'receiver.effect',
  requirements: ['receiver.effect'],
  side: 'receiver',
  title: 'is handled once',
  access: 'write',
  needs: ['receiver', 'receiver.observer'],
  run: () => Promise.resolve(),
};

describe('a check of effects', () => {
  test('does not apply to a receiver that shows none: status alone judges it', () => {
    const obstacle = obstacleTo(EFFECT_CHECK, planFrom({ receiver: RECEIVER }), NOTHING_LEARNED);
    expect(obstacle).toEqual({
      kind: 'not-applicable',
      message: 'effects are judged where --observer URL shows them',
      locked: false,
    });
  });

  test('is locked where an observer shows them, since it delivers events that are no tests', () => {
    const obstacle = obstacleTo(EFFECT_CHECK, planFrom({ receiver: OBSERVED }), NOTHING_LEARNED);
    expect(obstacle).toEqual({
      kind: 'not-applicable',
      message: 'locked: add --allow-writes',
      locked: true,
    });
  });

  test('runs where writes are allowed', () => {
    const plan = planFrom({ receiver: OBSERVED, allowWrites: true });
    expect(obstacleTo(EFFECT_CHECK, plan, NOTHING_LEARNED)).toBeNull();
  });
});

function locked(flag: string): object {
  return { kind: 'not-applicable', message: `locked: add ${flag}`, locked: true };
}

describe('a check that deletes', () => {
  const check: Check = { ...EFFECT_CHECK, side: 'api', access: 'delete', needs: [] };
  const api = { baseUrl: 'https://api.example' };
  const control = { url: 'https://api.example/_control', token: 'token-of-the-control' };

  test('is locked by a flag of its own', () => {
    const writing = planFrom({ ...api, allowWrites: true });
    expect(obstacleTo(check, writing, NOTHING_LEARNED)).toEqual(locked('--allow-deletes'));
    const deleting = planFrom({ ...api, allowDeletes: true });
    expect(obstacleTo(check, deleting, NOTHING_LEARNED)).toBeNull();
  });

  test('needs writes as well where it makes a world of its own first', () => {
    const deleting = planFrom({ ...api, control, allowDeletes: true });
    expect(obstacleTo(check, deleting, NOTHING_LEARNED)).toEqual(locked('--allow-writes'));
    const both = planFrom({ ...api, control, allowDeletes: true, allowWrites: true });
    expect(obstacleTo(check, both, NOTHING_LEARNED)).toBeNull();
  });
});

describe('a check of the size cap', () => {
  const check: Check = {
    ...EFFECT_CHECK,
    id: 'api.size-cap',
    side: 'api',
    access: 'read',
    needs: ['fixture.bodyLimitBytes'],
  };
  const plan = planFrom({ baseUrl: 'https://api.example' });

  test('does not apply where nobody tells the cap: no request shows it', () => {
    expect(obstacleTo(check, plan, NOTHING_LEARNED)).toEqual({
      kind: 'not-applicable',
      message: 'the size cap is judged where fixtures.json tells it as bodyLimitBytes',
      locked: false,
    });
  });

  test('runs where fixtures.json tells it', () => {
    const bodyLimitBytes = { value: '1048576', source: 'fixtures.json' };
    const facts = { keys: {}, fixtures: { bodyLimitBytes } };
    expect(obstacleTo(check, plan, { ...NOTHING_LEARNED, facts })).toBeNull();
  });
});

function discovery(clockMode: 'real' | 'virtual'): Discovery {
  return { ...NOTHING_LEARNED, control: { world: null, clockMode, problem: null } };
}

describe('a check that moves the clock', () => {
  const check: Check = {
    ...EFFECT_CHECK,
    side: 'api',
    access: 'read',
    needs: ['control.virtual-clock'],
  };
  const plan = planFrom({ baseUrl: 'https://api.example' });
  test('does not apply to a deployment whose clock is real', () => {
    expect(obstacleTo(check, plan, discovery('real'))).toEqual({
      kind: 'not-applicable',
      message: 'what takes hours is judged where the clock of the deployment is virtual',
      locked: false,
    });
  });

  test('runs on a virtual one', () => {
    expect(obstacleTo(check, plan, discovery('virtual'))).toBeNull();
  });

  test('could not run without a control interface', () => {
    expect(obstacleTo(check, plan, NOTHING_LEARNED)).toMatchObject({ kind: 'could-not-run' });
  });
});
