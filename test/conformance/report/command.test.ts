import { expect, test } from 'vitest';

import type { Check } from '@hookproof/conformance';

import { planFrom } from '../../../conformance/src/options/plan.ts';
import { commandOf } from '../../../conformance/src/report/reproduce.ts';

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

function check(side: Check['side']): Check {
  return {
    id: `${side}.a.b`,
    side,
    requirements: ['a.b'],
    title: 'a',
    access: 'read',
    needs: [],
    run: () => Promise.resolve(),
  };
}

test.each([
  [
    'api',
    'hookproof check --base-url https://api.example --app-url https://app.example --key "$HOOKPROOF_KEY" --fixtures fixtures.json --control-url https://api.example/_control --control-token "$HOOKPROOF_CONTROL_TOKEN" --allow-writes --only api.a.b',
  ],
  [
    'sender',
    'hookproof check --base-url https://api.example --app-url https://app.example --key "$HOOKPROOF_KEY" --fixtures fixtures.json --control-url https://api.example/_control --control-token "$HOOKPROOF_CONTROL_TOKEN" --sender --allow-writes --only sender.a.b',
  ],
  [
    'receiver',
    `hookproof check --receiver 'https://hook.example/in?a=1&b=2' --secret "$HOOKPROOF_SECRET" --secret-encoding base64 --observer https://hook.example/seen --only receiver.a.b`,
  ],
] as const)('a check of the %s side runs alone with what that side needs', (side, line) => {
  expect(commandOf(check(side), plan)).toBe(line);
});
