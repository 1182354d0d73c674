import { Violation } from '@hookproof/conformance';
import type { Check, ConformanceOptions } from '@hookproof/conformance';

import { check } from './checks.ts';
import { runChecks } from './suite.ts';
import type { Scenario, SeenRun } from './suite.ts';
import { KEY, startTarget } from './target.ts';
import type { SeenRequest } from './target.ts';

const SIGNATURE = 'b7e23ec29af22b0b4e41da31e868d57226121c84';
const QUERY = `expires=1790000000&signature=${SIGNATURE}`;

/** One run against an API that redirects downloads to a storage on another origin, with the requests of both. */
async function run(
  checks: readonly Check[],
  options: ConformanceOptions = {},
): Promise<SeenRun & { readonly stored: readonly SeenRequest[] }> {
  const storage = await startTarget({
    '/bucket/1': { body: `what is signed by ${SIGNATURE}` },
    '/bucket/denied': { status: 403, body: `${SIGNATURE} is not valid` },
  });
  const target = await startTarget({
    '/v1/files/1/content': {
      status: 302,
      headers: { location: `${storage.baseUrl}/bucket/1?${QUERY}` },
    },
    '/v1/files/2/content': {
      status: 307,
      headers: { location: `${storage.baseUrl}/bucket/denied?${QUERY}` },
    },
  });
  try {
    const report = await runChecks(checks, { baseUrl: target.baseUrl, key: KEY, ...options });
    return { report, seen: target.seen, stored: storage.seen };
  } finally {
    target.close();
    storage.close();
  }
}

const follows = check('api.follows', async ({ api }) => {
  const redirect = await api.send({ path: '/v1/files/1/content' });
  const stored = await api.follow(redirect);
  if (stored.status !== 200 || stored.bytes.byteLength === 0) throw new Error('no bytes came');
});

const followsAgain = check('api.follows-sampled', async ({ api }) => {
  const redirect = await api.sample({ path: '/v1/files/1/content' });
  await api.follow(redirect);
  await api.follow(await api.sample({ path: '/v1/files/1/content' }));
});

const showsStorage = check('api.shows-storage', async ({ api }) => {
  const redirect = await api.send({ path: '/v1/files/2/content' });
  const { exchange } = await api.follow(redirect);
  throw new Violation({
    expected: 'bytes',
    actual: `403 for ${redirect.header('location')}`,
    exchange,
  });
});

const showsRedirect = check('api.shows-redirect', async ({ api }) => {
  const { exchange } = await api.send({ path: '/v1/files/2/content' });
  throw new Violation({ expected: 'bytes', actual: 'a redirect', exchange });
});

const followsNothing = check('api.follows-nothing', async ({ api }) => {
  await api.follow(await api.send({ path: '/v1/templates' }));
});

/** Downloads that the API redirects to storage. */
export const redirectScenarios: Readonly<Record<string, Scenario>> = {
  redirected: () => run([follows, followsAgain]),
  redirectShown: () => run([showsStorage, showsRedirect]),
  redirectBudget: () => run([follows], { maxRequests: 4 }),
  noRedirect: () => run([followsNothing]),
};
