// Judges one receiver as a user would, in a process without a test runner: the arguments are its name and options in
// JSON. Prints the report as JSON.
import { runConformance } from '@hookproof/conformance';
import type { ConformanceOptions } from '@hookproof/conformance';

import { SECRET } from '../../proof/receivers/secret.ts';
import { RECEIVERS } from './receivers/receivers.ts';

const [name = '', given = '{}'] = process.argv.slice(2);
const start = RECEIVERS[name];
if (start === undefined) throw new TypeError(`no receiver is called ${name}`);
const { observed = true, ...options }: Partial<ConformanceOptions> & { observed?: boolean } =
  JSON.parse(given);
const running = await start();
const { url, observerUrl } = running;
const receiver = { url, secret: SECRET, ...(observed ? { observerUrl } : {}) };
const report = await runConformance({ receiver, allowWrites: observed, ...options });
await running.close();
process.stdout.write(JSON.stringify(report));
