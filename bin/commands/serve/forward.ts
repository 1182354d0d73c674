import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import type { ReferenceServer } from '@hookproof/server-reference';
import type { WebhookEndpoint } from '@hookproof/spec/control';

import { UsageError } from '../../command-line/errors.ts';
import { requireWritable, unwritable } from '../../command-line/output-file.ts';

import { controlCalls } from '../../running/control-calls.ts';
import { endpointsOf } from '../../running/world-endpoints.ts';

/** The environment variable that the examples of the receiver read. */
export const SECRET_VARIABLE = 'WEBHOOK_SECRET';

/** The endpoints of an app, which share one secret. */
export interface Forwarding {
  readonly urls: readonly string[];
  readonly secret: string;
}

/**
 * Makes an enabled endpoint for each URL, or takes the one that a data folder has, all with one secret: the given one,
 * or that of the first endpoint.
 */
export async function forwardTo(
  server: ReferenceServer,
  urls: readonly string[],
  given: string | undefined,
): Promise<Forwarding> {
  const control = controlCalls(server, ({ field, message }) => {
    const option = field === 'secret' ? '--secret' : '--forward-to';
    return new UsageError(`${option} is refused: it ${message.replace(/\.$/, '')}.`);
  });
  const known = await endpointsOf(control, server.world.id);
  let secret = given;
  for (const url of urls) {
    const endpoint = known.find((one) => one.url === url);
    const path = '/webhook-endpoints';
    const settings = { enabled: true, ...(secret === undefined ? {} : { secret }) };
    const { enabled: _new, ...creation } = { url, ...settings };
    const made =
      endpoint === undefined
        ? await control<WebhookEndpoint>('POST', path, creation)
        : await control<WebhookEndpoint>('PATCH', `${path}/${endpoint.id}`, settings);
    secret = made.secret;
  }
  return { urls, secret: secret ?? '' };
}

/** Returns the enabled endpoints of the server's world, also those that a data folder had. */
export async function enabledEndpoints(server: ReferenceServer): Promise<WebhookEndpoint[]> {
  const control = controlCalls(server, ({ message }) => new Error(message));
  const endpoints = await endpointsOf(control, server.world.id);
  return endpoints.filter(({ enabled }) => enabled);
}

/** Throws a usage error if the file for the secret cannot be written. */
export function requireEnvFile(file: string): void {
  requireWritable(`--write-env ${file}`, file);
}

/** Sets the secret in a file of environment variables. Its other lines stay. */
export function writeEnvFile(file: string, secret: string): void {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').replace(/\n$/, '').split('\n') : [];
  const line = `${SECRET_VARIABLE}=${secret}`;
  const at = lines.findIndex((one) => new RegExp(`^(export )?${SECRET_VARIABLE}=`).test(one));
  if (at === -1) lines.push(line);
  else lines[at] = line;
  try {
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  } catch (error) {
    throw unwritable(`--write-env ${file}`, file, error);
  }
}
