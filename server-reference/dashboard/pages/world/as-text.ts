import type { World } from '@hookproof/spec/control';

import { quote } from '../../parts/command.tsx';

/** Returns the `fixtures.json` of the conformance suite. */
export function fixturesOf({ keys, fixtures }: World): string {
  const { wildcard, reviewer, ocr, workflow, otherTenant } = keys;
  const named = { main: wildcard, reviewer, ocr, workflow, otherTenant };
  return `${JSON.stringify({ keys: named, ...fixtures }, null, 2)}\n`;
}

/** Returns the variables that `hookproof` and the examples read. */
export function environmentOf({ keys }: World, controlToken: string): string {
  const variables = {
    HOOKPROOF_BASE_URL: location.origin,
    HOOKPROOF_KEY: keys.wildcard,
    HOOKPROOF_CONTROL_URL: `${location.origin}/_control`,
    HOOKPROOF_CONTROL_TOKEN: controlToken,
  };
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Returns the command that tests this server with the key of the world. */
export function checkCommand({ keys }: World): string {
  const variables = `HOOKPROOF_KEY=${quote(keys.wildcard)}`;
  return `${variables} npx hookproof check --base-url ${location.origin} --fixtures fixtures.json`;
}
