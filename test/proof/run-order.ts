import { outcomeExitCode } from '@hookproof/conformance';
import { defects, runTransformed } from '@hookproof/conformance/proof';

import { variants } from './variants/catalogue.ts';
import type { Judged, Order } from './order.ts';
import { startTarget } from './target.ts';

const known = new Map([...defects, ...variants].map((one) => [one.id, one]));

/** Judges a right implementation as if it had the defects and variants of the order. */
export async function runOrder(order: Order): Promise<Judged> {
  const { side, ids, only, seed } = order;
  const chosen = ids.map((id) => {
    const one = known.get(id);
    if (one === undefined) throw new TypeError(`Unknown defect or variant ${id}.`);
    return one;
  });
  const target = await startTarget(side);
  try {
    const options = { ...target.options, ...(only === undefined ? {} : { only }) };
    const report = await runTransformed(options, chosen, seed);
    return {
      outcome: report.outcome,
      exitCode: outcomeExitCode(report),
      suiteErrors: report.suiteErrors,
      checks: report.checks.map(({ id, verdict, message }) => ({ id, verdict, message })),
    };
  } finally {
    await target.close();
  }
}
