import type { Report, Verdict } from '@hookproof/conformance';

import { compiledProgram } from '../../compiled-program.ts';
import { openJudges } from '../../proof/judges.ts';
import type { Order } from '../programs/receivers/receivers.ts';

// The runner inside the suite is the one that runs these tests, so it has its own process.
const judges = openJudges<Order, Report>(
  compiledProgram(new URL('../programs/judge-receiver.ts', import.meta.url)),
  1,
);

/** The report on a receiver. */
export function judgeReceiver(name: string, options: Omit<Order, 'name'> = {}): Promise<Report> {
  return judges.judge({ name, ...options });
}

/** The ids of the checks with one of some verdicts. */
export function idsWith({ checks }: Report, ...verdicts: readonly Verdict[]): readonly string[] {
  return checks.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}
