import { runConformance } from '@hookproof/conformance';
import { createServer } from '@hookproof/server-reference';

import type { Coverage, VisitedFile } from './coverage.ts';

const CHECK = 'api.inbox.limit-above-100';

/** A whole run of the suite with one reading check, from options to report; the server's own files are left out. */
export async function wholeRun(coverage: Coverage): Promise<VisitedFile[]> {
  const server = await createServer({ store: { kind: 'memory' } });
  const { baseUrl, appUrl, controlUrl, controlToken } = server;
  const options = {
    baseUrl,
    appUrl,
    control: { url: controlUrl, token: controlToken },
    only: [CHECK],
  };
  try {
    await runConformance(options);
    coverage.take();
    const { checks } = await runConformance(options);
    const check = checks.find(({ id }) => id === CHECK);
    if (check?.verdict !== 'pass') throw new Error(`${CHECK} must pass, got ${check?.verdict}.`);
    return coverage.take().filter(({ path }) => !path.startsWith('server-reference/'));
  } finally {
    await server.close();
  }
}
