import type { ReferenceServer } from '@hookproof/server-reference';

import type { Screen } from '../../command-line/screen.ts';
import { SECRET_VARIABLE } from './forward.ts';
import type { Forwarding } from './forward.ts';
import { KEYS_LINE } from './keys.ts';
import type { ServeOptions } from './options.ts';

/** The line that `serve --json` prints: everything that a script needs to use the server. */
export function readyLine(
  server: ReferenceServer,
  forwarding: Forwarding | null,
): Record<string, unknown> {
  const { baseUrl, appUrl, controlUrl, controlToken, dashboardUrl, world } = server;
  const { id: worldId, keys, fixtures } = world;
  const secret = forwarding === null ? {} : { secret: forwarding.secret };
  const addresses = { baseUrl, appUrl, controlUrl, controlToken, dashboardUrl };
  return { ...addresses, worldId, keys, fixtures, ...secret };
}

/** The keys of a world, each with its use. */
const USES: Readonly<Record<string, string>> = {
  wildcard: 'every operation',
  reviewer: 'only dataset_review:read',
  workflow: 'only workflow:read',
  ocr: 'only the check of the key itself',
  revoked: 'refused with 401',
  otherTenant: 'every operation, of another tenant',
};

/** Where `serve` sends webhooks. */
interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

/** What is printed when the server is ready. */
export interface Welcome {
  readonly server: ReferenceServer;
  readonly options: ServeOptions;
  /** The enabled endpoints, also those that a data folder had. */
  readonly targets: readonly WebhookTarget[];
  readonly screen: Pick<Screen, 'paint'>;
  /** Whether Ctrl-C reaches the server. */
  readonly hasTerminal: boolean;
  readonly hasKeys: boolean;
}

const NAME_WIDTH = 16;

/** Returns the lines that `serve` prints when it is ready: what one needs first. */
export function welcome({
  server,
  options,
  targets,
  screen,
  hasTerminal,
  hasKeys,
}: Welcome): string[] {
  const { bold, dim, cyan } = screen.paint;
  return [
    bold('Hookproof reference server'),
    row('API', cyan(`${server.baseUrl}/v1`)),
    row('dashboard', cyan(server.dashboardUrl)),
    row('key', cyan(server.world.keys.wildcard)),
    ...targets.flatMap(({ url, secret }) => [
      row('webhooks to', cyan(url)),
      row('signed with', dim(secret)),
    ]),
    ...(targets.length > 0
      ? []
      : [row('webhooks to', dim('nothing yet; add --forward-to http://localhost:3000/'))]),
    ...(options.defect ?? []).map((id) => row('defect', id)),
    dim(`  State is kept in ${options.data ?? 'memory, and lost when the server stops'}.`),
    dim(`  ${hasKeys ? KEYS_LINE : lastLine(options, hasTerminal)}`),
  ];
}

/** In the background of a shell, or of nothing, no key does anything. */
function lastLine({ log }: ServeOptions, hasTerminal: boolean): string {
  if (hasTerminal) return '--verbose prints all keys. Ctrl-C stops.';
  const more = log === undefined ? '--log shows requests and attempts, ' : '';
  return `${more}--verbose all keys. kill ${process.pid} stops.`;
}

/** Returns everything else about a server: addresses, keys with their uses, variables for other terminals. */
export function details(
  server: ReferenceServer,
  forwarding: Forwarding | null,
  screen: Pick<Screen, 'paint'>,
): string[] {
  const { dim, cyan } = screen.paint;
  return [
    row('app address', cyan(`${server.appUrl}/api/v1`)),
    row('operations', cyan(`${server.baseUrl}/openapi.json`)),
    row('control', cyan(server.controlUrl)),
    row('dashboard', cyan(server.dashboardUrl)),
    ...Object.entries(server.world.keys).map(
      ([name, key]) => `${row(`key ${name}`, cyan(key))}  ${dim(USES[name] ?? '')}`,
    ),
    '',
    '  For other terminals:',
    ...exportLines(server, forwarding),
    '',
    '  Try:',
    '  curl -H "Authorization: Bearer $HOOKPROOF_KEY" \\',
    '    $HOOKPROOF_BASE_URL/v1/auth/check',
    '  npx hookproof check',
    ...(forwarding === null ? [] : ['  npx hookproof trigger']),
  ];
}

function row(name: string, value: string): string {
  return `  ${name.padEnd(NAME_WIDTH)}${value}`;
}

function exportLines(server: ReferenceServer, forwarding: Forwarding | null): string[] {
  const variables = {
    HOOKPROOF_BASE_URL: server.baseUrl,
    HOOKPROOF_APP_URL: server.appUrl,
    HOOKPROOF_KEY: server.world.keys.wildcard,
    HOOKPROOF_CONTROL_URL: server.controlUrl,
    HOOKPROOF_CONTROL_TOKEN: server.controlToken,
    ...(forwarding === null ? {} : { [SECRET_VARIABLE]: forwarding.secret }),
  };
  return Object.entries(variables).map(([name, value]) => `  export ${name}=${value}`);
}
