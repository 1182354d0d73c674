import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { compiledProgram } from '../compiled-program.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The servers and browsers that are not installed. */
    readonly missingServers: readonly string[];
    /** The program of the browser; null if it is not installed. */
    readonly browserPath: string | null;
  }
}

/** Finds out once per run which servers and browsers are installed. A missing one fails the run when `CI` is set. */
export default function setup(project: TestProject): () => void {
  const program = compiledProgram(new URL('programs/serve.ts', import.meta.url));
  const output = execFileSync(process.execPath, [program, 'installed'], { encoding: 'utf8' });
  const folders: Record<string, string | null> = JSON.parse(output);
  const missing = Object.keys(folders).filter((name) => folders[name] === null);
  project.provide('missingServers', missing);
  const browser = folders['chromium'] ?? null;
  project.provide('browserPath', browser === null ? null : join(browser, 'chromium'));
  const message =
    `The tests need postgres, redis, nats and chromium, got no ${missing.join(' and no ')}. ` +
    'Install them (Debian: apt-get install postgresql redis-server nats-server chromium).';
  if (missing.length > 0 && process.env['CI'] !== undefined) throw new Error(message);
  return () => {
    if (missing.length > 0) process.stderr.write(`\nTESTS WERE LEFT OUT. ${message}\n`);
  };
}
