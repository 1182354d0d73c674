import { expect, test } from 'vitest';

import { receiverApp } from './apps.ts';
import { SCENARIOS, to } from './expected-scenarios.ts';

// The server has the same scenarios: see scenario-routes.test.ts.
test.each(Object.entries(SCENARIOS))(
  '%s is handled by a receiver as it says',
  async (name, { arrived, receiver, handled = arrived }) => {
    const app = await receiverApp('ordered');
    const { code, stdout } = await to(app.url, name);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    const statuses = [...stdout.matchAll(/→ (\d+) /g)].map(([, status]) => status);
    if (receiver === undefined) expect(statuses.every((one) => one?.startsWith('2'))).toBe(true);
    else expect(statuses).toEqual(receiver);
    await expect.poll(() => app.handled).toHaveLength(handled.length);
    expect(app.handled).toEqual(handled);
  },
);
