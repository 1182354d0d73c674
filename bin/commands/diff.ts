import { diffReports, readReport, renderDiff, ReportInvalid } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';
import { Option } from 'commander';
import type { Command } from 'commander';

import { applyConfigFile } from '../command-line/config-file.ts';
import { readJsonObject } from '../command-line/json-file.ts';
import { UsageError } from '../command-line/errors.ts';
import { openScreen } from '../command-line/screen.ts';
import { wrapText } from '../command-line/wrap.ts';

const EXAMPLES = `
Exit codes:
  0 no new fail   1 new fails   2 usage

Examples:
  $ hookproof check … --report json=before.json
  $ hookproof check … --report json=after.json
  $ hookproof diff before.json after.json`;

/** Adds `hookproof diff`, which compares two JSON reports. */
export function addDiff(program: Command): void {
  const command = program
    .command('diff')
    .description('Compares two JSON reports: new fails, fixed checks and other changes.')
    .argument('<before>', 'JSON report of the earlier run')
    .argument('<after>', 'JSON report of the later run')
    .addOption(new Option('--json', 'print the changes as JSON'))
    .addHelpText('after', EXAMPLES)
    .action((before: string, after: string) => {
      applyConfigFile(command);
      const { json } = command.opts<{ readonly json?: true }>();
      const diff = diffReports(reportIn(before), reportIn(after));
      const screen = openScreen();
      const text = wrapText(renderDiff(diff).trimEnd(), screen.columns);
      screen.print(json === true ? JSON.stringify(diff, null, 2) : text);
      process.exitCode = diff.newFails.length > 0 ? 1 : 0;
    });
}

function reportIn(file: string): Report {
  try {
    return readReport(readJsonObject(file, file));
  } catch (error) {
    if (!(error instanceof ReportInvalid)) throw error;
    throw new UsageError(`${file}: ${error.message}`);
  }
}
