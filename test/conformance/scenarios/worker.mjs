import { parentPort } from 'node:worker_threads';

import { runSuite } from '../../../conformance/dist/run-suite.js';
import { passes, requirements } from './checks.mjs';
import { KEY, startTarget } from './target.mjs';

/** One run in a thread of its own; tells its outcome. */
const target = await startTarget();
const { outcome } = await runSuite(
  { baseUrl: target.baseUrl, key: KEY },
  { checks: [passes], requirements },
);
target.close();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread has no origin
parentPort?.postMessage(outcome);
