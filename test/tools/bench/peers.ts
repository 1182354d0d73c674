import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

// This runs compiled, from test/tools/bench/dist.
const folder = new URL('../peers/', import.meta.url);

/** The functions that we call. */
export interface Stripe {
  readonly webhooks: {
    constructEvent(body: Buffer, header: string, secret: string): unknown;
    generateTestHeaderString(options: { payload: string; secret: string }): string;
  };
}

export interface StandardWebhooks {
  readonly Webhook: new (secret: string) => {
    sign(id: string, at: Date, body: string): string;
    verify(
      body: Buffer,
      headers: Readonly<Record<string, string>>,
      options?: { readonly jsonParse: boolean },
    ): unknown;
  };
}

/** Installs the peers from their lock file, if they are not installed. */
export function installPeers(): void {
  if (existsSync(new URL('node_modules/', folder))) return;
  const path = fileURLToPath(folder);
  const { status } = spawnSync('npm', ['ci', '--prefix', path, '--silent'], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ci failed in ${path}. The benches need their peers.`);
}

// The types of stripe take longer to check than those of all benches.
const requirePeer = createRequire(import.meta.url);

export function loadStripe(): Stripe {
  const constructor: new (key: string) => Stripe = requirePeer('stripe');
  return new constructor('sk_test_bench');
}

export function loadStandardWebhooks(): StandardWebhooks {
  return requirePeer('standardwebhooks');
}
