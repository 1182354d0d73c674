import type { Command } from 'commander';

import { targetOptions } from './options/all.ts';
import type { CheckOptions } from './options/all.ts';

/** They would be in a report. A step command has whatever its author wrote into it. */
const SECRETS: Readonly<Record<string, string>> = {
  key: 'HOOKPROOF_KEY',
  controlToken: 'HOOKPROOF_CONTROL_TOKEN',
  secret: 'WEBHOOK_SECRET',
  stepCommand: 'HOOKPROOF_STEP_COMMAND',
};
/** Their queries may be tokens. */
const URLS: Readonly<Record<string, string>> = {
  receiver: 'HOOKPROOF_RECEIVER',
  observer: 'HOOKPROOF_OBSERVER',
};
/** What belongs to one run, and not to its target. */
const OF_ONE_RUN: ReadonlySet<string> = new Set(['only', 'cleanUp', 'prove']);

/**
 * Returns the command line that names the same target as this one: the options that were typed, with variables in place
 * of secrets. The environment still has the others.
 */
export function commandLine(command: Command): string {
  const given = command.opts<CheckOptions>();
  const flags = targetOptions().flatMap((option) => {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'cli' || OF_ONE_RUN.has(name)) return [];
    const flag = option.long ?? '';
    if (name === 'header') return headerFlags(given);
    const value = textOf(name, given);
    const variable = value?.includes('?') === true ? URLS[name] : undefined;
    const hidden = SECRETS[name] ?? variable;
    if (hidden !== undefined) return [`${flag} "$${hidden}"`];
    return [value === null ? flag : `${flag} ${quoteIfNeeded(value)}`];
  });
  return ['npx hookproof check', ...flags].join(' ');
}

/** Headers with variables in place of their values, which are tokens as a rule. */
function headerFlags({ header = [] }: CheckOptions): string[] {
  return header.map(([name]) => {
    const variable = `HOOKPROOF_HEADER_${name.toUpperCase().replaceAll(/\W/g, '_')}`;
    return `--header "${name}=$${variable}"`;
  });
}

/** The value of an option as it is typed; null for a flag. */
function textOf(name: string, given: CheckOptions): string | null {
  const { listen, fuzz } = given;
  if (name === 'listen' && listen !== undefined) return `${listen.host}:${listen.port}`;
  if (name === 'fuzz' && fuzz !== undefined) return `${fuzz.seconds},${fuzz.seed}`;
  const value: unknown = Object.entries(given).find(([known]) => known === name)?.[1];
  return value === true ? null : String(value);
}

/** Leaves alone what a shell does not interpret. */
function quoteIfNeeded(text: string): string {
  if (/^[\w.:/@%+=,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
