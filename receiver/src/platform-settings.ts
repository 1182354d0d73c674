import { knownOptions } from './argument-checks.ts';
import { workingSettings, WORKING_OPTIONS } from './processor-options.ts';
import type { ProcessorOptions, ProcessorSettings } from './processor-options.ts';
import { SOURCE } from './runs/event-content.ts';
import { RUN_OPTIONS, runSettings } from './runs/run-settings.ts';
import { runWork } from './runs/run-work.ts';

/** The options of a processor, whose one source is the platform. */
export const PROCESSOR_OPTIONS: readonly string[] = [
  ...(['store', 'handlers'] as const),
  ...RUN_OPTIONS,
  ...WORKING_OPTIONS,
];

/** @throws {TypeError} When an option is invalid or unknown; the message names the option. */
export function platformSettings<Tx>(
  options: ProcessorOptions<Tx>,
  names: readonly string[] = PROCESSOR_OPTIONS,
): ProcessorSettings<Tx> {
  knownOptions(options, names);
  const { handlers = {} } = options;
  const work = runWork<Tx>(runSettings(options), handlers);
  return workingSettings(options, new Map([[SOURCE, work]]), { hasSources: false });
}
