// Judges receivers as a user would, one after another, in a process without a test runner: receives orders, sends reports.
import { runConformance } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';

import { SECRET } from '../../proof/receivers/secret.ts';
import { RECEIVERS } from './receivers/receivers.ts';
import type { Order } from './receivers/receivers.ts';

process.on('message', (order: Order) => {
  void judge(order).then((report) => process.send?.(report));
});

async function judge({ name, observed = true, ...options }: Order): Promise<Report> {
  const running = await RECEIVERS[name]?.();
  if (running === undefined) throw new TypeError(`no receiver is called ${name}`);
  const { url, observerUrl } = running;
  const receiver = { url, secret: SECRET, ...(observed ? { observerUrl } : {}) };
  try {
    return await runConformance({ receiver, allowWrites: observed, ...options });
  } finally {
    await running.close();
  }
}
