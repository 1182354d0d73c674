import type { Command, Option } from 'commander';

import { UsageError } from '../../../command-line/errors.ts';
import type { CheckOptions } from './all.ts';

/** Options that describe a target, and the option without which there is none. */
const NEEDS = [
  ['key', 'baseUrl'],
  ['header', 'baseUrl'],
  ['maxRequests', 'baseUrl'],
  ['controlToken', 'controlUrl'],
  ['secret', 'receiver'],
  ['secretEncoding', 'receiver'],
  ['observer', 'receiver'],
  ['listen', 'sender'],
  ['publicUrl', 'sender'],
  ['retryWindow', 'sender'],
] as const satisfies readonly (readonly [keyof CheckOptions, keyof CheckOptions])[];

/**
 * Returns the options of a command. An environment variable whose target nothing names counts as not set: it is there
 * for other commands too.
 *
 * @throws {UsageError} for any other option whose target nothing names
 */
export function givenOptions(command: Command): CheckOptions {
  const given = command.opts<CheckOptions>();
  for (const [name, target] of NEEDS) {
    const source = command.getOptionValueSource(name);
    if (source === undefined || source === 'default') continue;
    if (source === 'env' && given[target] === undefined) {
      command.setOptionValueWithSource(name, undefined, 'default');
    } else if (given[target] === undefined && name !== 'key') {
      const { long, envVar } = optionOf(command, target);
      const variable = envVar === undefined ? '' : `, or set ${envVar}`;
      throw new UsageError(`${optionOf(command, name).long} requires ${long}. Add it${variable}.`);
    }
  }
  return command.opts<CheckOptions>();
}

function optionOf(command: Command, name: string): Partial<Option> {
  return command.options.find((option) => option.attributeName() === name) ?? {};
}
