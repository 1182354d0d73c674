import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConformanceOptions } from '@hookproof/conformance';

import { ROOT } from '../compiled-program.ts';
import type { Inspector } from './inspector.ts';
import { runToEnd } from './processes.ts';

const COMMAND = join(ROOT, 'bin/hookproof.js');

/** Runs the command line in a new process each time. */
export function commandLine(): Inspector {
  return {
    async inspect(options) {
      const folder = mkdtempSync(join(tmpdir(), 'hookproof-fixtures-'));
      try {
        const { exitCode, output, errors } = await runToEnd(COMMAND, [
          'check',
          ...argumentsOf(options, join(folder, 'fixtures.json')),
          '--json',
        ]);
        if (output === '') throw new Error(`the command line wrote no report: ${errors}`);
        return { exitCode, output };
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    close: () => Promise.resolve(),
  };
}

function argumentsOf(options: ConformanceOptions, fixturesFile: string): string[] {
  const { baseUrl, appUrl, control, fixtures, sender, receiver, allowWrites, allowDeletes } =
    options;
  if (fixtures !== undefined) writeFileSync(fixturesFile, JSON.stringify(fixtures));
  return [
    ...option('base-url', baseUrl),
    ...option('app-url', appUrl),
    ...option('control-url', control?.url),
    ...option('control-token', control?.token),
    ...option('fixtures', fixtures && fixturesFile),
    ...option('receiver', receiver?.url),
    ...option('secret', receiver?.secret),
    ...option('observer', receiver?.observerUrl),
    ...(sender === true ? ['--sender'] : []),
    ...(allowWrites === true ? ['--allow-writes'] : []),
    ...(allowDeletes === true ? ['--allow-deletes'] : []),
  ];
}

function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}
