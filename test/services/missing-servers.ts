import { execFileSync } from 'node:child_process';

import type { TestProject } from 'vitest/node';

import { compiledProgram } from '../compiled-program.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The servers that are not installed. */
    readonly missingServers: readonly string[];
  }
}

/** Finds out once per run which servers are installed. A missing one fails the run when `CI` is set. */
export default function setup(project: TestProject): () => void {
  const program = compiledProgram(new URL('programs/serve.ts', import.meta.url));
  const output = execFileSync(process.execPath, [program, 'missing'], { encoding: 'utf8' });
  const missing: string[] = JSON.parse(output);
  project.provide('missingServers', missing);
  const message =
    `The tests need the servers postgres, redis and nats, got no ${missing.join(' and no ')}. ` +
    'Install them (Debian: apt-get install postgresql redis-server nats-server).';
  if (missing.length > 0 && process.env['CI'] !== undefined) throw new Error(message);
  return () => {
    if (missing.length > 0) process.stderr.write(`\nTESTS WERE LEFT OUT. ${message}\n`);
  };
}
