import type { Command } from 'commander';

import { UsageError } from './errors.ts';

/** Options that the command line names otherwise than the conformance suite. */
const COMMAND_OPTIONS: Readonly<Record<string, string>> = {
  skip: 'only',
  headers: 'header',
  explain: 'list',
  'control.url': 'controlUrl',
  'control.token': 'controlToken',
  'listen.host': 'listen',
  'receiver.url': 'receiver',
  'receiver.secret': 'secret',
  'receiver.observerUrl': 'observer',
};

/**
 * Replaces the option at the start of a message of the conformance suite by the name that the user gave it:
 * a flag or an environment variable. Returns any other message unchanged.
 */
function withGivenName(message: string, command: Command): string {
  const [subject = ''] = /^[a-z]+(\.[a-z]+)?/i.exec(message) ?? [];
  const name = COMMAND_OPTIONS[subject] ?? subject;
  const option = command.options.find((known) => known.attributeName() === name);
  const source = command.getOptionValueSource(name);
  if (option === undefined || source === undefined) return message;
  const given: Readonly<Record<string, string | undefined>> = {
    cli: option.long,
    env: option.envVar,
  };
  return (given[source] ?? subject) + message.slice(subject.length);
}

/** An invalid option becomes a usage error under the name that the user gave it; any other error stays unchanged. */
export function asUsageError(error: unknown, command: Command): unknown {
  return error instanceof TypeError ? new UsageError(withGivenName(error.message, command)) : error;
}

/** Resolves as the work does. An invalid option rejects with a usage error under the name that the user gave it. */
export async function named<T>(command: Command, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw asUsageError(error, command);
  });
}
