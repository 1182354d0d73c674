import { existsSync, writeFileSync } from 'node:fs';
import { fixturesFile } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';

import { UsageError } from '../../command-line/errors.ts';
import type { Screen } from '../../command-line/screen.ts';

/** Returns what writes the fixtures file after a run. Throws a usage error, before the run, if there is such a file. */
export function openFixtures(file: string | undefined, screen: Screen): (report: Report) => void {
  if (file === undefined) return () => {};
  if (existsSync(file)) {
    throw new UsageError(
      `--init-fixtures ${file} must not exist yet. Use it with --fixtures, or choose another name.`,
    );
  }
  return (report) => {
    writeFileSync(file, fixturesFile(report), { mode: 0o600 });
    screen.log(`${file} is written. Fill in what is missing, then add --fixtures ${file}`);
  };
}
