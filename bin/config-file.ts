import { existsSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { Command, Option } from 'commander';

import { readJsonObject } from './json-file.ts';
import { UsageError } from './usage-error.ts';

export const CONFIG_FILE = 'hookproof.config.json';

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : null;
}

function parseItem(file: string, option: Option, item: string, before: unknown): unknown {
  if (option.parseArg === undefined) return item;
  try {
    return option.parseArg(item, before);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new UsageError(`${file}: ${option.attributeName()}: ${error.message}`);
  }
}

function parsedValue(file: string, option: Option, value: unknown): unknown {
  if (option.isBoolean()) {
    if (typeof value === 'boolean') return value;
    throw new UsageError(`${file}: ${option.attributeName()} must be true or false.`);
  }
  const items = Array.isArray(value) ? value.map(textOf) : [textOf(value)];
  let result: unknown;
  for (const item of items) {
    if (item === null) {
      throw new UsageError(`${file}: ${option.attributeName()} must be text or a number.`);
    }
    if (option.argChoices !== undefined && !option.argChoices.includes(item)) {
      const choices = option.argChoices.join(', ');
      throw new UsageError(`${file}: ${option.attributeName()} must be one of ${choices}.`);
    }
    result = parseItem(file, option, item, result);
  }
  return result;
}

/**
 * Fills options that neither the command line nor the environment gave from the section of
 * `hookproof.config.json` that has the command's name. An unknown name is a usage error.
 */
export function applyConfigFile(command: Command, file: string = CONFIG_FILE): void {
  if (!existsSync(file)) return;
  const sections = readJsonObject(file, file);
  const section = sections[command.name()] ?? {};
  if (typeof section !== 'object' || section === null) {
    throw new UsageError(`${file}: ${command.name()} must hold an object.`);
  }
  for (const [name, value] of Object.entries(section)) {
    const option = command.options.find((known) => known.attributeName() === name);
    if (option === undefined) {
      const known = command.options.map((each) => each.attributeName()).join(', ');
      throw new UsageError(`${file}: ${command.name()} has no ${name}; it has ${known}.`);
    }
    const source = command.getOptionValueSource(name);
    if (source !== undefined && source !== 'default') continue;
    command.setOptionValueWithSource(name, parsedValue(file, option, value), 'config');
  }
}
