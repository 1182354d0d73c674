import type { Clock, WebhookEndpoint } from '@hookproof/spec/control';

import { webhookSecret } from '../../command-line/arguments.ts';
import { UsageError } from '../../command-line/errors.ts';
import { controlCalls } from '../../running/control-calls.ts';
import type { ControlCall } from '../../running/control-calls.ts';
import { runningControl } from '../../running/running-control.ts';
import { endpointsOf } from '../../running/world-endpoints.ts';

/** The server that sends, and the endpoints that it sends to. */
export interface Target {
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly control: ControlCall;
  readonly endpoints: readonly WebhookEndpoint[];
  /** Whether nothing more happens until the clock of the server is advanced. */
  readonly isVirtual: boolean;
  /** Whether the server ends with this command, and its retries too. */
  readonly isOwn: boolean;
  close(): Promise<void>;
}

/** A server that runs, before its endpoints are known. */
type ServerToSend = Pick<Target, 'control' | 'controlUrl' | 'controlToken'> & {
  readonly baseUrl: string;
};

/** Returns the running server of this user. */
export async function runningTarget(): Promise<Target> {
  return targetOf(
    await runningControl(
      'Start one with hookproof serve --forward-to URL, or send with --to URL --secret SECRET.',
    ),
  );
}

/**
 * Returns a server with its enabled endpoints.
 *
 * @throws {UsageError} if it has none
 */
export async function targetOf(server: ServerToSend): Promise<Target> {
  const { control, baseUrl } = server;
  const { id } = await control<{ id: string }>('GET', '/world');
  const { mode } = await control<Clock>('GET', '/clock');
  const endpoints = (await endpointsOf(control, id)).filter(({ enabled }) => enabled);
  if (endpoints.length === 0) {
    throw new UsageError(
      `The local platform at ${baseUrl} has no enabled webhook endpoint. Start it with hookproof serve --forward-to URL.`,
    );
  }
  const isVirtual = mode === 'virtual';
  return { ...server, endpoints, isVirtual, isOwn: false, close: async () => {} };
}

/** Starts a server in this process that sends to one URL: it signs, retries and records as the platform does. */
export async function ownTarget(url: string, given: string | undefined): Promise<Target> {
  if (given === undefined) {
    throw new UsageError('--to requires --secret. Add it, or set WEBHOOK_SECRET.');
  }
  const secret = webhookSecret(given);
  // The server takes longer to load than the rest, and only this needs it.
  const { createServer } = await import('@hookproof/server-reference');
  const server = await createServer({ store: { kind: 'memory' } });
  const control = controlCalls(server, ({ field, message }) => {
    const option = field === 'secret' ? '--secret' : '--to';
    return new UsageError(`${option} ${message.replace(/\.$/, '')}.`);
  });
  try {
    const endpoint = await control<WebhookEndpoint>('POST', '/webhook-endpoints', { url, secret });
    const { controlUrl, controlToken } = server;
    const endpoints = [endpoint];
    return {
      controlUrl,
      controlToken,
      control,
      endpoints,
      isVirtual: false,
      isOwn: true,
      close: () => server.close(),
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}
