import type { ReferenceServer } from '@hookproof/server-reference';

import type { Screen } from '../../command-line/screen.ts';
import { SECRET_VARIABLE } from './forward.ts';
import type { Forwarding } from './forward.ts';
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

/** The lines that `serve` prints when it is ready. */
export function welcome(
  server: ReferenceServer,
  options: ServeOptions,
  forwarding: Forwarding | null,
  screen: Screen,
): string[] {
  const { bold, dim, cyan } = screen.paint;
  const { keys } = server.world;
  const row = (name: string, value: string): string => `  ${name.padEnd(18)}${cyan(value)}`;
  return [
    bold('Hookproof reference server'),
    row('API', `${server.baseUrl}/v1`),
    row('app address', `${server.appUrl}/api/v1`),
    row('operations', `${server.baseUrl}/openapi.json`),
    row('control', server.controlUrl),
    row('dashboard', server.dashboardUrl),
    '',
    ...Object.entries(keys).map(
      ([name, key]) => `${row(`key ${name}`, key)}  ${dim(USES[name] ?? '')}`,
    ),
    '',
    ...(options.defect ?? []).map((id) => row('defect', id)),
    ...(forwarding?.urls ?? []).map((url) => row('webhooks to', url)),
    dim(`  State is kept in ${options.data ?? 'memory, and lost when the server stops'}.`),
    '',
    '  For other terminals:',
    ...exportLines(server, forwarding),
    '',
    '  Try:',
    '  curl -H "Authorization: Bearer $HOOKPROOF_KEY" $HOOKPROOF_BASE_URL/v1/auth/check',
    '  npx hookproof check',
    ...(forwarding === null ? [] : ['  npx hookproof trigger']),
    '',
    dim('  Press Ctrl-C to stop.'),
  ];
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
