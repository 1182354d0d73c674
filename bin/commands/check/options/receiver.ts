import type { ConformanceOptions } from '@hookproof/conformance';
import { Option } from 'commander';

import { targetUrl } from '../../../command-line/arguments.ts';
import { UsageError } from '../../../command-line/errors.ts';

/** The options that name a receiver. */
export interface ReceiverOptions {
  readonly receiver?: string;
  readonly secret?: string;
  readonly secretEncoding: 'utf8' | 'base64';
  readonly observer?: string;
}

export function receiverOptions(): Option[] {
  return [
    new Option('--receiver <url>', 'URL of the receiver')
      .argParser(targetUrl)
      .env('HOOKPROOF_RECEIVER'),
    new Option('--secret <secret>', 'its secret; better in WEBHOOK_SECRET').env('WEBHOOK_SECRET'),
    new Option('--secret-encoding <form>', 'key bytes of the secret: utf8 (default), base64')
      .choices(['utf8', 'base64'])
      .default('utf8'),
    new Option('--observer <url>', 'URL at which it lists the events that it handled').argParser(
      targetUrl,
    ),
  ];
}

/** Throws a usage error when the secret is missing. */
export function receiverSettings(options: ReceiverOptions): Pick<ConformanceOptions, 'receiver'> {
  const { receiver: url, secret, secretEncoding, observer: observerUrl } = options;
  if (url === undefined) return {};
  if (secret === undefined) {
    throw new UsageError('--receiver requires --secret. Add it, or set WEBHOOK_SECRET.');
  }
  const observed = observerUrl === undefined ? {} : { observerUrl };
  return { receiver: { url, secret, secretEncoding, ...observed } };
}
