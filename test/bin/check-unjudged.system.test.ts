import { expect, test } from 'vitest';
import type { Report } from '@hookproof/conformance';

import { hookproof, serve } from './hookproof.ts';

/** What they may change, a world of a control interface or the fixtures say. */
const IRREVERSIBLE = ['move', 'rename', 'input-delete', 'review-clear', 'feedback'];

test('the headline names the operations that nothing has judged', async () => {
  const { baseUrl, keys, controlUrl, controlToken } = await serve();
  const env = { HOOKPROOF_KEY: keys.wildcard };
  const ids = IRREVERSIBLE.map((name) => `api.operation.${name}`);
  const args = ['check', '--base-url', baseUrl, '--app-url', baseUrl, '--json'];
  const writes = [
    '--allow-writes',
    '--allow-deletes',
    '--only',
    ['api.operation.inbox', ...ids].join(','),
  ];
  const without = await hookproof([...args, ...writes], { env });
  const { headline }: Report = JSON.parse(without.stdout);
  expect(headline).toBe(
    `incomplete: 5 checks could not run; 5 of 6 operations not judged: ${IRREVERSIBLE.join(', ')}`,
  );
  const control = ['--control-url', controlUrl, '--control-token', controlToken];
  const complete = await hookproof([...args, ...writes, ...control], { env });
  expect(JSON.parse(complete.stdout)).toMatchObject({ headline: 'conformant' });
});
