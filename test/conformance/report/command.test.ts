import { expect, test } from 'vitest';

import type { Check } from '@hookproof/conformance';

import type { Facts } from '../../../conformance/src/options/facts.ts';
import { planFrom } from '../../../conformance/src/options/plan.ts';
import { commandOf } from '../../../conformance/src/report/reproduce/reproduction.ts';

const plan = planFrom({
  baseUrl: 'https://api.example',
  appUrl: 'https://app.example',
  key: 'key-0123456789',
  keys: { ocr: 'key-9876543210' },
  control: { url: 'https://api.example/_control', token: 'token-0123456789' },
  sender: true,
  allowWrites: true,
  receiver: {
    url: 'https://hook.example/in?a=1&b=2',
    secret: 'whsec_0123456789',
    secretEncoding: 'base64',
    observerUrl: 'https://hook.example/seen',
  },
});

const facts: Facts = {
  keys: {
    main: { value: 'key-0123456789', source: 'given' },
    reviewer: { value: 'key-of-the-world', source: 'control interface' },
  },
  fixtures: {},
};

function check(side: Check['side'], more: Partial<Check> = {}): Check {
  return {
    id: `${side}.a.b`,
    side,
    requirements: ['a.b'],
    title: 'a',
    access: 'read',
    needs: ['key.main'],
    run: () => Promise.resolve(),
    ...more,
  };
}

const API = '--base-url https://api.example --key "$HOOKPROOF_KEY"';
const CONTROL =
  '--control-url https://api.example/_control --control-token "$HOOKPROOF_CONTROL_TOKEN"';
const APP = '--base-url https://api.example --app-url https://app.example --key "$HOOKPROOF_KEY"';

test.each([
  ['reads', check('api'), `${API} --only api.a.b`],
  [
    'reads through the app address',
    check('api', { needs: ['key.main', 'app'] }),
    `${APP} --only api.a.b`,
  ],
  [
    'reads with a key of the fixtures',
    check('api', { needs: ['key.ocr'] }),
    `${API} --fixtures fixtures.json --only api.a.b`,
  ],
  [
    'reads with a key of the control interface',
    check('api', { needs: ['key.reviewer'] }),
    `${API} ${CONTROL} --only api.a.b`,
  ],
  [
    'writes',
    check('api', { access: 'write' }),
    `${API} --fixtures fixtures.json ${CONTROL} --allow-writes --only api.a.b`,
  ],
  [
    'judges the sender',
    check('sender', { access: 'write', needs: ['control'] }),
    `${APP} --fixtures fixtures.json ${CONTROL} --sender --allow-writes --only sender.a.b`,
  ],
  [
    'judges a receiver',
    check('receiver', { needs: ['receiver'] }),
    `--receiver 'https://hook.example/in?a=1&b=2' --secret "$WEBHOOK_SECRET" --secret-encoding base64 --observer https://hook.example/seen --only receiver.a.b`,
  ],
] as const)('a check that %s runs alone with what it needs, and no more', (_, one, flags) => {
  expect(commandOf(one, plan, facts)).toBe(`hookproof check ${flags}`);
});
