import type { ConformanceOptions } from '@hookproof/conformance';
import { Option } from 'commander';

import { UsageError } from '../../../command-line/errors.ts';
import { accessOptions, accessSettings } from './access.ts';
import type { AccessOptions } from './access.ts';
import { apiOptions, apiSettings } from './api.ts';
import type { ApiOptions } from './api.ts';
import { guideOptions } from './guide.ts';
import type { GuideOptions } from './guide.ts';
import { receiverOptions, receiverSettings } from './receiver.ts';
import type { ReceiverOptions } from './receiver.ts';
import { senderOptions, senderSettings } from './sender.ts';
import type { SenderOptions } from './sender.ts';
import { reportOptions } from './report.ts';
import type { ReportOptions } from './report.ts';

/** The options of `hookproof check` after parsing. */
export interface CheckOptions
  extends ApiOptions, SenderOptions, ReceiverOptions, AccessOptions, ReportOptions, GuideOptions {}

const CHECKS_AND_REPORTS = 'Checks and reports:';

export function helpOption(): Option {
  return new Option('-h, --help', 'display help for command').hideHelp();
}

/** For few targets: the help names them in one line, and the page of all options explains them. */
const RARE: ReadonlySet<string> = new Set([
  '--control-token',
  '--header',
  '--max-requests',
  '--listen',
  '--public-url',
  '--retry-window',
  '--secret-encoding',
  '--observer',
  '--fuzz',
  '--clean-up',
  '--prove',
  '--compare',
  '--update-baseline',
]);

/** Returns the options of `hookproof check`, in the order of its help. */
export function checkOptions(): Option[] {
  return [
    ...targetOptions(),
    ...group(CHECKS_AND_REPORTS, [...guideOptions(), ...reportOptions()]),
  ];
}

/** Returns the options that name the target and what may be done to it. */
export function targetOptions(): Option[] {
  return [
    ...group('API:', apiOptions()),
    ...group('Webhook sender:', senderOptions()),
    ...group('Webhook receiver:', receiverOptions()),
    ...group(CHECKS_AND_REPORTS, accessOptions()),
  ];
}

function group(heading: string, options: readonly Option[]): Option[] {
  return options.map((option) => option.helpGroup(heading).hideHelp(RARE.has(option.long ?? '')));
}

/** The options of the suite. Throws a usage error when no side is selected or an option needs another one. */
export function checkSettings(options: CheckOptions): ConformanceOptions {
  const settings = settingsOf(options);
  const { baseUrl, receiver, sender } = options;
  if (baseUrl === undefined && receiver === undefined && sender !== true) {
    throw new UsageError(
      'check requires --base-url or --receiver. Add --base-url for an API (and --sender for its webhooks), or --receiver for a receiver. The server that runs here is checked only if no option names a target.',
    );
  }
  return settings;
}

/** The options of the suite, which may select no side. */
export function settingsOf(options: CheckOptions): ConformanceOptions {
  return {
    ...apiSettings(options),
    ...senderSettings(options),
    ...receiverSettings(options),
    ...accessSettings(options),
  };
}
