import type { ConformanceOptions } from '@hookproof/conformance';
import { InvalidArgumentError, Option } from 'commander';

import { integer, urlOption } from '../../../command-line/arguments.ts';
import { UsageError } from '../../../command-line/errors.ts';
import { performByCommand } from '../steps/command.ts';
import { performByPerson } from '../steps/person.ts';

/** The options that decide what causes deliveries of a sender, and where the suite listens for them. */
export interface SenderOptions {
  readonly sender?: true;
  readonly stepCommand?: string;
  readonly ask?: true;
  readonly listen?: HostAndPort;
  readonly publicUrl?: string;
  readonly retryWindow?: number;
}

interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

const MAX_RETRY_WINDOW_SECONDS = 86_400;

export function senderOptions(): Option[] {
  return [
    new Option('--sender', 'check it too; needs --allow-writes'),
    new Option('--step-command <command>', 'shell command that performs each step'),
    new Option('--ask', 'ask a person at this terminal instead').conflicts('stepCommand'),
    new Option('--listen <host:port>', 'address at which the suite receives deliveries')
      .argParser(hostAndPort)
      .env('HOOKPROOF_LISTEN'),
    urlOption('--public-url <url>', 'URL under which the sender reaches that address').env(
      'HOOKPROOF_PUBLIC_URL',
    ),
    new Option(
      '--retry-window <seconds>',
      'time within which it must retry (default: 30)',
    ).argParser(integer(1, MAX_RETRY_WINDOW_SECONDS)),
  ];
}

/** Throws a usage error when an option is missing that another one needs. */
export function senderSettings(options: SenderOptions): ConformanceOptions {
  const { sender, listen, publicUrl, retryWindow } = options;
  return {
    sender: sender === true,
    ...stepSettings(options),
    ...(listen === undefined ? {} : { listen }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(retryWindow === undefined ? {} : { retryWindowMilliseconds: retryWindow * 1000 }),
  };
}

function stepSettings({
  sender,
  stepCommand,
  ask,
}: SenderOptions): Pick<ConformanceOptions, 'steps'> {
  if (sender !== true && (stepCommand !== undefined || ask === true)) {
    const option = ask === true ? '--ask' : '--step-command';
    throw new UsageError(`${option} requires --sender. Add --sender and --allow-writes.`);
  }
  if (stepCommand !== undefined) return { steps: performByCommand(stepCommand) };
  return ask === true ? { steps: performByPerson() } : {};
}

/** Parses `HOST:PORT`, `:PORT` for loopback, and `[::1]:PORT`. */
function hostAndPort(text: string): HostAndPort {
  const [, host = '', port = ''] = /^(\[[0-9a-f:.]+\]|[^:[\]]*):([0-9]{1,5})$/i.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) {
    throw new InvalidArgumentError('Expected HOST:PORT such as 0.0.0.0:8080.');
  }
  return { host: host.replace(/^\[|\]$/g, '') || '127.0.0.1', port: Number(port) };
}
