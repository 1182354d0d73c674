import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Test files that take seconds, mostly in processes, browsers and servers that they wait for. */
const SLOW: readonly string[] = [
  'test/bin/check.test.ts',
  'test/bin/safety/hostile-target.test.ts',
  'test/server-reference/platform/store/full-state.test.ts',
  'test/server-reference/dashboard/pages.test.ts',
  'test/server-reference/dashboard/deliveries.test.ts',
  'test/receiver/queues/nats-jetstream.test.ts',
  'test/bin/defects.test.ts',
  'test/clients/generated-client.test.ts',
  'test/receiver/stores/redis/durability.test.ts',
  'test/receiver/stores/postgres/postgres.test.ts',
  'test/server-reference/server-kill.test.ts',
  'test/server-reference/platform/responses/responses.test.ts',
  'test/architecture/platform.test.ts',
  'test/receiver/stores/postgres/contract.test.ts',
  'test/services/local-server.test.ts',
  'test/bin/demo.test.ts',
  'test/receiver/stores/redis/contract.test.ts',
  'test/receiver/stores/postgres/kill.test.ts',
  'test/server-reference/platform/sender/sender-kill.test.ts',
  'test/receiver/queues/bullmq.test.ts',
  'test/receiver/package/package.test.ts',
  'test/docs/recipes/recipes.test.ts',
  'test/docs/api/api-pages.test.ts',
  'test/bin/terminal.test.ts',
  'test/conformance/fuzz/fuzz.test.ts',
  'test/conformance/other-receivers.test.ts',
];

/**
 * Starts the slow files before all others. On its first run Vitest knows only the size of a file and starts small ones
 * last; one worker would then run a slow one while the others have nothing left.
 */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const missing = SLOW.filter((path) => !existsSync(join(root, path)));
    if (missing.length > 0) {
      throw new Error(`Each slow file must exist, got none at ${missing.join(', ')}. Edit SLOW.`);
    }
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = SLOW.indexOf(relative(root, moduleId).split(sep).join('/'));
      return rank === -1 ? SLOW.length : rank;
    };
    // The method of Vitest returns a new array.
    // oxlint-disable-next-line unicorn/no-array-sort
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
