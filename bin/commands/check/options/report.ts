import { InvalidArgumentError, Option } from 'commander';

/** The kinds of reports that can be written to a file. */
export const REPORT_KINDS = ['html', 'json', 'junit', 'markdown', 'shields'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** The options that decide what is written about a run, and where. */
export interface ReportOptions {
  readonly report?: readonly ReportFile[];
  readonly json?: true;
  readonly baseline?: string;
  readonly updateBaseline?: true;
  readonly reason?: string;
  readonly owner?: string;
}

/** A report to write beside the one on standard output. */
export interface ReportFile {
  readonly kind: ReportKind;
  readonly file: string;
}

export function reportOptions(): Option[] {
  return [
    new Option(
      '--report <kind=file>',
      `also write a report, of the kind ${REPORT_KINDS.join(', ')}; may be repeated`,
    ).argParser(reportFile),
    new Option('--json', 'print the report as JSON'),
    baselineOption(),
    new Option('--update-baseline', 'write the failures of this run to --baseline'),
    new Option('--reason <text>', 'why --update-baseline accepts the new failures'),
    new Option('--owner <name>', 'who fixes them: a person, a team or a ticket'),
  ];
}

export function baselineOption(): Option {
  return new Option('--baseline <file>', 'JSON file with the failures that are known and accepted');
}

function reportFile(text: string, before: readonly ReportFile[] = []): ReportFile[] {
  const [name = '', file = ''] = text.split(/=(.*)/s);
  const kind = REPORT_KINDS.find((known) => known === name);
  if (kind === undefined || file === '') {
    throw new InvalidArgumentError(
      `Expected kind=FILE, with one of the kinds ${REPORT_KINDS.join(', ')}.`,
    );
  }
  return [...before, { kind, file }];
}
