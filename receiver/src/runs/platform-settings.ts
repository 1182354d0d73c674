import { knownOptions, requireHandlerFunction } from '../argument-checks.ts';
import { workingSettings, WORKING_OPTIONS } from '../processing/working-options.ts';
import type { ProcessorSettings } from '../processing/working-options.ts';
import { SOURCE } from './event-content.ts';
import type { ProcessorOptions, RunProcessing } from './processor.ts';
import { RUN_OPTIONS, runSettings } from './run-settings.ts';
import { runWork } from './run-work.ts';

/** The options of a processor, whose one source is the platform. */
export const PROCESSOR_OPTIONS: readonly string[] = [
  ...(['store', 'handlers'] as const),
  ...RUN_OPTIONS,
  ...WORKING_OPTIONS,
];

/**
 * Returns the settings of a processor with this source alone, and how handlers are added to it.
 *
 * @throws {TypeError} When an option is invalid or unknown; the message names the option.
 */
export function platformSettings<Tx>(
  options: ProcessorOptions<Tx>,
  names: readonly string[] = PROCESSOR_OPTIONS,
): { readonly settings: ProcessorSettings<Tx>; readonly on: RunProcessing<Tx>['on'] } {
  knownOptions(options, names);
  const { handlers = {} } = options;
  const work = runWork<Tx>(runSettings(options), handlers);
  return {
    settings: workingSettings(options, new Map([[SOURCE, work]]), { hasSources: false }),
    on(name, handler) {
      requireHandlerFunction(name, handler);
      work.add({ [name]: handler });
    },
  };
}
