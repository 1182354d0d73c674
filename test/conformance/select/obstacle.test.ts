import { describe, expect, test } from 'vitest';

import type { Check } from '@hookproof/conformance';
import { planFrom } from '../../../conformance/src/options/plan.ts';
import type { Discovery } from '../../../conformance/src/discover/discover.ts';
import { obstacleTo } from '../../../conformance/src/select/select.ts';

const RECEIVER = { url: 'http://127.0.0.1:9/', secret: 'whsec_only_for_this_test' };
const OBSERVED = { ...RECEIVER, observerUrl: 'http://127.0.0.1:9/seen' };
const NO_DISCOVERY = {
  facts: { keys: {}, fixtures: {} },
  api: null,
  control: null,
  receiver: { clockOffsetMilliseconds: null, refusal: null, forgery: null },
  gone: new Map(),
  recording: null,
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
  test('does not apply without an observer', () => {
    const obstacle = obstacleTo(EFFECT_CHECK, planFrom({ receiver: RECEIVER }), NO_DISCOVERY);
    expect(obstacle).toEqual({
      kind: 'not-applicable',
      message: 'effects are judged only with --observer URL',
    });
  });

  test('is locked with an observer, because it delivers real events', () => {
    const obstacle = obstacleTo(EFFECT_CHECK, planFrom({ receiver: OBSERVED }), NO_DISCOVERY);
    expect(obstacle).toEqual({
      kind: 'locked',
      message: 'locked: add --allow-writes',
    });
  });

  test('runs with --allow-writes', () => {
    const plan = planFrom({ receiver: OBSERVED, allowWrites: true });
    expect(obstacleTo(EFFECT_CHECK, plan, NO_DISCOVERY)).toBeNull();
  });
});

function locked(flag: string): object {
  return { kind: 'locked', message: `locked: add ${flag}` };
}

describe('a check that deletes', () => {
  const check: Check = { ...EFFECT_CHECK, side: 'api', access: 'delete', needs: [] };
  const api = { baseUrl: 'https://api.example' };
  const control = { url: 'https://api.example/_control', token: 'token-of-the-control' };

  test('is locked behind --allow-deletes', () => {
    const writing = planFrom({ ...api, allowWrites: true });
    expect(obstacleTo(check, writing, NO_DISCOVERY)).toEqual(locked('--allow-deletes'));
    const deleting = planFrom({ ...api, allowDeletes: true });
    expect(obstacleTo(check, deleting, NO_DISCOVERY)).toBeNull();
  });

  test('also needs --allow-writes with a control interface, because it creates a world first', () => {
    const deleting = planFrom({ ...api, control, allowDeletes: true });
    expect(obstacleTo(check, deleting, NO_DISCOVERY)).toEqual(locked('--allow-writes'));
    const both = planFrom({ ...api, control, allowDeletes: true, allowWrites: true });
    expect(obstacleTo(check, both, NO_DISCOVERY)).toBeNull();
  });
});

describe('a check of the size limit', () => {
  const check: Check = {
    ...EFFECT_CHECK,
    id: 'api.size-cap',
    side: 'api',
    access: 'read',
    needs: ['fixture.bodyLimitBytes'],
  };
  const plan = planFrom({ baseUrl: 'https://api.example' });

  test('does not apply without bodyLimitBytes', () => {
    expect(obstacleTo(check, plan, NO_DISCOVERY)).toEqual({
      kind: 'not-applicable',
      message: 'the size limit is judged only with bodyLimitBytes in fixtures.json',
    });
  });

  test('runs with bodyLimitBytes', () => {
    const bodyLimitBytes = { value: '1048576', source: 'fixtures.json' };
    const facts = { keys: {}, fixtures: { bodyLimitBytes } };
    expect(obstacleTo(check, plan, { ...NO_DISCOVERY, facts })).toBeNull();
  });
});

function discovery(clockMode: 'real' | 'virtual'): Discovery {
  return { ...NO_DISCOVERY, control: { world: null, clockMode, problem: null } };
}

describe('a check that moves the clock', () => {
  const check: Check = {
    ...EFFECT_CHECK,
    side: 'api',
    access: 'read',
    needs: ['control.virtual-clock'],
  };
  const plan = planFrom({ baseUrl: 'https://api.example' });
  test('does not apply on a real clock', () => {
    expect(obstacleTo(check, plan, discovery('real'))).toEqual({
      kind: 'not-applicable',
      message: 'behavior over hours is judged only on a virtual clock',
    });
  });

  test('runs on a virtual clock', () => {
    expect(obstacleTo(check, plan, discovery('virtual'))).toBeNull();
  });

  test('could not run without a control interface', () => {
    expect(obstacleTo(check, plan, NO_DISCOVERY)).toMatchObject({ kind: 'could-not-run' });
  });
});

test('a check names everything that it lacks', () => {
  const check: Check = {
    ...EFFECT_CHECK,
    side: 'api',
    access: 'read',
    needs: ['key.ocr', 'fixture.fileId', 'app'],
  };
  expect(obstacleTo(check, planFrom({ baseUrl: 'https://api.example' }), NO_DISCOVERY)).toEqual({
    kind: 'could-not-run',
    message: 'no ocr key; no fixture fileId; no app URL',
    remedies: [
      {
        text: '--fixtures FILE with { "keys": { "ocr": "<key with scope ocr:full>" } }, or HOOKPROOF_KEY_OCR',
        need: 'keys.ocr',
        inFixtures: true,
      },
      {
        text: '--fixtures FILE with { "fileId": "<value>" }',
        need: 'fileId',
        inFixtures: true,
      },
      { text: '--app-url URL', need: 'appUrl' },
    ],
  });
});
