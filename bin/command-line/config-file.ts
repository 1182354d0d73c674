import { existsSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { Command, Option } from 'commander';

import { UsageError } from './errors.ts';
import { isRecord, readJsonObject } from './json-file.ts';

/** Read from the working folder. */
export const CONFIG_FILE = 'hookproof.config.json';

/**
 * Sets the options that neither the command line nor the environment gave, from the command's section of
 * the config file. A missing file changes nothing; an unknown name is a usage error.
 */
export function applyConfigFile(command: Command, file: string = CONFIG_FILE): void {
  if (!existsSync(file)) return;
  applySection(command, readJsonObject(file, file)[command.name()] ?? {}, {
    subject: file,
    section: command.name(),
  });
}

/** Sets the options that nothing else gave, from parsed values by their names. */
export function applySection(
  command: Command,
  values: unknown,
  { subject: place, section }: { readonly subject: string; readonly section: string },
): void {
  if (!isRecord(values)) {
    throw new UsageError(
      `${place}: ${section} must be a JSON object, got ${JSON.stringify(values)}.`,
    );
  }
  for (const [name, value] of Object.entries(values)) {
    const option = command.options.find((known) => known.attributeName() === name);
    if (option === undefined) {
      const known = command.options.map((each) => each.attributeName()).join(', ');
      throw new UsageError(
        `${place}: unknown option "${name}" in ${section}; expected one of ${known}.`,
      );
    }
    const source = command.getOptionValueSource(name);
    if (source !== undefined && source !== 'default') continue;
    const subject = `${place}: ${section}.${name}`;
    command.setOptionValueWithSource(name, parsedValue(subject, option, value), 'config');
  }
}

function parsedValue(subject: string, option: Option, value: unknown): unknown {
  if (option.isBoolean()) {
    if (typeof value === 'boolean') return value;
    throw new UsageError(`${subject} must be true or false, got ${JSON.stringify(value)}.`);
  }
  // An option whose value may be left out.
  if (option.optional && value === true) return true;
  let result: unknown;
  for (const item of Array.isArray(value) ? value : [value]) {
    result = parsedItem(subject, option, item, result);
  }
  return result;
}

function parsedItem(subject: string, option: Option, item: unknown, before: unknown): unknown {
  if (typeof item !== 'string' && typeof item !== 'number') {
    throw new UsageError(`${subject} must be a string or a number, got ${JSON.stringify(item)}.`);
  }
  const text = String(item);
  const { argChoices: choices, parseArg } = option;
  if (choices !== undefined && !choices.includes(text)) {
    throw new UsageError(`${subject} must be one of ${choices.join(', ')}, got "${text}".`);
  }
  if (parseArg === undefined) return text;
  try {
    return parseArg(text, before);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    const expected = error.message.replace(/^Expected (.*)\.$/s, '$1');
    throw new UsageError(`${subject} must be ${expected}, got ${JSON.stringify(item)}.`);
  }
}
