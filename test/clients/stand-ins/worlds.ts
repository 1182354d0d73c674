import type { ReferenceServer, World } from '@hookproof/server-reference';

import { controlClient } from '../../server-reference/lab/control/control-client.ts';
import type { ControlClient } from '../../server-reference/lab/control/control-client.ts';
import { clientA } from './client-a.ts';
import { clientB } from './client-b.ts';
import type { StandIn, StandInOptions } from './stand-in.ts';

/** The stand-ins, by name. */
const STAND_INS: Readonly<Record<'A' | 'B', (options: StandInOptions) => StandIn>> = {
  A: clientA,
  B: clientB,
};

/** The addresses that a client can be given, below the URL of the server. */
export const PREFIXES = ['/v1', '/api/v1'] as const;

export type Prefix = (typeof PREFIXES)[number];

/** A client in a new world of a server, and the control interface of that server. */
export interface ClientWorld {
  readonly client: StandIn;
  readonly world: World;
  readonly control: ControlClient;
}

/** Opens a new world with one client. */
export async function openClientWorld(
  server: ReferenceServer,
  name: keyof typeof STAND_INS,
  prefix: Prefix = '/v1',
): Promise<ClientWorld> {
  const control = controlClient(server);
  const world = await control.expectOk<World>(201, '/worlds', {});
  const client = STAND_INS[name]({
    address: server.baseUrl + prefix,
    key: world.keys.wildcard,
    wait: (milliseconds) => control.advance(milliseconds),
  });
  return { client, world, control };
}
