// Prints the hash of the seeded dataset's archive, for tests of other time zones and times.
import { createHash } from 'node:crypto';

import { createServer } from '@hookproof/server-reference';

const server = await createServer({ store: { kind: 'memory' } });
const { baseUrl, world } = server;
const path = `/v1/automations/${world.fixtures.datasetAutomationId}/dataset/export`;
const headers = { authorization: `Bearer ${world.keys.wildcard}` };
const response = await fetch(baseUrl + path, { headers });
const bytes = Buffer.from(await response.arrayBuffer());
process.stdout.write(createHash('sha256').update(bytes).digest('hex'));
await server.close();
