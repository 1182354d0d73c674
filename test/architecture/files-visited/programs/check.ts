import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { checks } from '@hookproof/conformance';
import { createServer } from '@hookproof/server-reference';

import type * as runContexts from '../../../../conformance/src/context/context.ts';
import type * as engine from '../../../../conformance/src/engine/run-checks.ts';
import type * as plans from '../../../../conformance/src/options/plan.ts';
import type * as verdicts from '../../../../conformance/src/verdict/verdict.ts';
import { ROOT } from '../../../compiled-program.ts';
import type { Coverage, VisitedFile } from './coverage.ts';

const CHECK = 'api.inbox.limit-above-100';

/**
 * One reading check, from the list of selected checks to its verdict. Options, discovery and report are left out, and so
 * are the server's own files.
 */
export async function readingCheck(coverage: Coverage): Promise<VisitedFile[]> {
  const { runChecks }: typeof engine = await load('engine/run-checks.js');
  const { createRunContext }: typeof runContexts = await load('context/context.js');
  const { verdictOf }: typeof verdicts = await load('verdict/verdict.js');
  const { planFrom }: typeof plans = await load('options/plan.js');

  const check = checks.find(({ id }) => id === CHECK);
  if (check === undefined) throw new Error(`No check ${CHECK}.`);
  const server = await createServer({ store: { kind: 'memory' } });
  const key = server.world.keys.wildcard;
  const facts = { keys: { main: { value: key, source: 'given' } }, fixtures: {} };
  const discovery = { facts, api: null, control: null, receiver: null, sender: null };
  const plan = planFrom({ baseUrl: server.baseUrl, key });
  // Samples are shared within a run: the second run sends its requests again, with warm code.
  const runs = [
    createRunContext(plan, { now: Date.now, hooks: {}, confirms: true }),
    createRunContext(plan, { now: Date.now, hooks: {}, confirms: true }),
  ];
  try {
    for (const run of runs) {
      coverage.take();
      let verdict: string | null = null;
      await runChecks([check], run, discovery, {
        settled: ({ finding }) => (verdict = verdictOf(finding, 'must')),
        suiteErrors: [],
      });
      if (verdict !== 'pass') throw new Error(`${CHECK} must pass, got ${verdict}.`);
    }
    return coverage.take().filter(({ path }) => !path.startsWith('server-reference/'));
  } finally {
    await Promise.all(runs.map(({ gate }) => gate.close()));
    await server.close();
  }
}

async function load<T>(path: string): Promise<T> {
  const module: T = await import(pathToFileURL(join(ROOT, 'conformance/dist', path)).href);
  return module;
}
