import { expect, test } from 'vitest';

import { startControlled } from '../lab/control/control-client.ts';

test('bytes that an interceptor changes reach no other endpoint', async () => {
  const sent: string[] = [];
  const control = await startControlled({
    async deliveryInterceptor({ request }) {
      sent.push(request.body.toString());
      request.body.fill('x');
      return { status: 204, headers: [], body: null, error: null, detail: null, sent: request };
    },
  });
  for (const path of ['one', 'two']) await control.endpoint(`http://127.0.0.1:9/${path}`);
  await control.run();
  await control.idle();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toBe(sent[0]);
  expect(sent[0]).toContain('"run.created"');
});
