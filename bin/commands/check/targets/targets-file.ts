import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { parse } from 'yaml';

import { applySection, isRecord } from '../../../command-line/config-file.ts';
import { UsageError } from '../../../command-line/errors.ts';
import { baselineOption } from '../options/report.ts';
import { checkSettings, targetOptions } from '../options/all.ts';
import type { CheckOptions } from '../options/all.ts';

/** One target of a file: its name and the options of its run. */
export interface NamedTarget {
  readonly name: string;
  readonly options: CheckOptions;
}

/** These must come from the environment, so that no file of a repository contains a secret. */
const SECRETS: ReadonlySet<string> = new Set(['key', 'secret', 'controlToken']);
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const MAX_TARGETS = 1_000;

/**
 * Reads a YAML file of targets: `defaults` and `targets`, each with the options of check in camelCase. `${NAME}` in a
 * value is a variable of the environment. Throws a usage error that names the target and the option.
 */
export function readTargets(file: string, environment: NodeJS.ProcessEnv): NamedTarget[] {
  const subject = `--targets ${file}`;
  const { defaults = {}, targets, ...others } = recordIn(subject, read(subject, file));
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new UsageError(`${subject}: unknown ${unknown}; expected defaults or targets.`);
  }
  if (!Array.isArray(targets) || targets.length === 0 || targets.length > MAX_TARGETS) {
    throw new UsageError(`${subject}: targets must be a list of 1 to ${MAX_TARGETS} targets.`);
  }
  const shared = recordIn(`${subject}: defaults`, defaults);
  const named: NamedTarget[] = [];
  for (const [index, target] of targets.entries()) {
    const place = `${subject}: targets[${index}]`;
    const { name, ...own } = recordIn(place, target);
    if (typeof name !== 'string' || !NAME.test(name)) {
      throw new UsageError(
        `${place}.name must have 1 to 64 letters, digits, "-" and "_", got ${JSON.stringify(name)}.`,
      );
    }
    if (named.some((other) => other.name === name)) {
      throw new UsageError(`${place}.name must be unique, got "${name}" again. Use another name.`);
    }
    const values = resolved({ ...shared, ...own }, `${subject}: ${name}`, environment);
    named.push({ name, options: optionsFrom(values, { subject, name }) });
  }
  return named;
}

function read(subject: string, file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${subject} must be a readable YAML file: ${reason}`);
  }
}

function recordIn(place: string, value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw new UsageError(`${place} must contain names with values, such as baseUrl: https://…`);
}

/** The values after their variables. */
function resolved(
  values: Readonly<Record<string, unknown>>,
  place: string,
  environment: NodeJS.ProcessEnv,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value];
      if (SECRETS.has(name) && !/^\$\{\w+\}$/.test(value)) {
        throw new UsageError(
          `${place}.${name} must be a variable such as \${HOOKPROOF_KEY_EU}, so that the file contains no secret.`,
        );
      }
      return [name, withVariables(value, `${place}.${name}`, environment)];
    }),
  );
}

function withVariables(text: string, place: string, environment: NodeJS.ProcessEnv): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => {
    const value = environment[variable];
    if (value !== undefined && value !== '') return value;
    throw new UsageError(
      `${place} needs the variable ${variable}, which is not set. Set it in the environment.`,
    );
  });
}

/** The options of one target, with the defaults of check; its environment variables belong to a run of one target. */
function optionsFrom(
  values: Readonly<Record<string, unknown>>,
  { subject, name }: { readonly subject: string; readonly name: string },
): CheckOptions {
  const command = new Command(name);
  for (const option of [...targetOptions(), baselineOption()]) command.addOption(option);
  applySection(command, values, { subject, section: name });
  const options = command.opts<CheckOptions>();
  try {
    checkSettings(options);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${subject}: ${name}: ${error.message}`);
  }
  return options;
}
