// Runs the suite in a worker thread and posts its outcome.
import { parentPort } from 'node:worker_threads';

import { passes } from './checks.ts';
import { run } from './suite.ts';

const { report } = await run([passes]);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread has no origin
parentPort?.postMessage(report.outcome);
