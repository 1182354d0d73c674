import type { KnownFailure } from '@hookproof/conformance';
import { InvalidArgumentError, Option } from 'commander';

/** The kinds of reports that can be written to a file. */
const REPORT_KINDS = ['html', 'json', 'junit', 'markdown'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** The options that decide what is written about a run, and where. */
export interface ReportOptions {
  readonly report?: readonly ReportFile[];
  readonly json?: true;
  readonly verbose?: true;
  readonly compare?: readonly string[];
  readonly baseline?: string;
  readonly updateBaseline?: Pick<KnownFailure, 'owner' | 'reason'>;
}

/** A report to write beside the one on standard output. */
export interface ReportFile {
  readonly kind: ReportKind;
  readonly file: string;
}

export function reportOptions(): Option[] {
  return [
    new Option('--report <kind=file>', `also write ${REPORT_KINDS.join(', ')}`).argParser(
      reportFile,
    ),
    new Option('--verbose', 'print rule, cause and requests of each failure'),
    new Option('--json', 'print the report as JSON'),
    new Option(
      '--compare <files...>',
      'print what changed since this JSON report; of two without a run',
    ),
    new Option('--baseline <file>', 'JSON file of the failures that are accepted'),
    new Option('--update-baseline <text>', 'add the failures to it, as "OWNER: REASON"').argParser(
      ownerAndReason,
    ),
  ];
}

function ownerAndReason(text: string): Pick<KnownFailure, 'owner' | 'reason'> {
  const [, owner = '', reason = ''] =
    /^([^:]+):(.+)$/s.exec(text)?.map((part) => part.trim()) ?? [];
  if (owner === '' || reason === '') {
    throw new InvalidArgumentError(
      'Expected "OWNER: REASON", who fixes the failures and why they are accepted.',
    );
  }
  return { owner, reason };
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
