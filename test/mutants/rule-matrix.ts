import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from './build.ts';
import type { Patch } from './build.ts';
import { openBench } from './rules/lab.ts';
import type { Rule } from './rules/rule.ts';
import { openProcess } from './rules/servers.ts';
import type { ServerProcess } from './rules/servers.ts';
import { shareOut } from './turns.ts';

/** Tries rules against builds with one defect, two of them at once. */
export interface RuleMatrix {
  /** Tells which of the rules a build breaks, and how. */
  brokenBy(patch: Patch, rules: readonly Rule[]): Promise<ReadonlyMap<string, unknown>>;
  close(): Promise<void>;
}

/** The code of a build is kept until its process ends. */
const BUILDS_PER_PROCESS = 20;

/** A process that one build after another is loaded into: what they share is loaded and compiled once. */
interface Standing {
  process: ServerProcess | undefined;
  builds: number;
}

export function openRuleMatrix(): RuleMatrix {
  const standing: Standing[] = [1, 2].map(() => ({ process: undefined, builds: 0 }));
  const inTurn = shareOut(standing);
  return {
    brokenBy: (patch, rules) => inTurn((one) => tryRules(one, patch, rules)),
    async close() {
      for (const { process } of standing) await process?.kill();
    },
  };
}

async function tryRules(
  standing: Standing,
  patch: Patch,
  rules: readonly Rule[],
): Promise<ReadonlyMap<string, unknown>> {
  const built = build('server-reference', patch);
  const room = join(built.folder, 'node_modules/@hookproof/server-reference/dist/index.js');
  try {
    const bench = await openBench(await renew(standing), pathToFileURL(room).href);
    const broken = new Map<string, unknown>();
    for (const rule of rules) {
      await bench.hold(rule).catch((error: unknown) => broken.set(rule.id, error));
    }
    await bench.close();
    return broken;
  } finally {
    built.remove();
  }
}

async function renew(standing: Standing): Promise<ServerProcess> {
  if (standing.builds >= BUILDS_PER_PROCESS) await standing.process?.kill();
  const isFresh = standing.process?.isAlive() !== true;
  standing.process = isFresh || standing.process === undefined ? openProcess() : standing.process;
  standing.builds = isFresh ? 1 : standing.builds + 1;
  return standing.process;
}
