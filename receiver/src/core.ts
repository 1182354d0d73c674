import { requireRuntime } from './runtime.ts';
import { severalSources } from './several-sources.ts';
import type { Sources, SourcesOptions, SourcesReceiver } from './several-sources.ts';

/**
 * Creates a receiver for `sources`, as `createReceiver` of `@hookproof/receiver` does, without the
 * platform: for a bundle that has only the sources which it imports.
 *
 * @throws {TypeError} When an option is invalid or unknown; the message names the option.
 * @example
 * ```ts
 * import { createReceiver } from '@hookproof/receiver/core';
 * import { memoryStore } from '@hookproof/receiver/memory';
 * import { stripe } from '@hookproof/receiver/stripe';
 *
 * export const receiver = createReceiver({
 *   store: memoryStore(),
 *   sources: { payments: stripe({ secrets: 'whsec_of_stripe' }) },
 *   handlers: { payments: { 'invoice.paid': ({ data }) => console.log(data) } },
 * });
 * ```
 */
export function createReceiver<Named extends Sources, Tx>(
  options: SourcesOptions<Named, Tx>,
): SourcesReceiver<Named, Tx>;
export function createReceiver<Tx>(
  options: SourcesOptions<Sources, Tx>,
): SourcesReceiver<Sources, Tx> {
  requireRuntime();
  return severalSources(options);
}
