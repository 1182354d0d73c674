// A default run of the real catalogue against the reference server, through a proxy that records every method.
import { once } from 'node:events';
import { createServer as createHttpServer, request } from 'node:http';

import { runConformance } from '@hookproof/conformance';
import { createServer } from '@hookproof/server-reference';

// Larger than the smallest file of the fixtures, so that there are downloads of both kinds.
const reference = await createServer({ store: { kind: 'memory' }, redirectAboveBytes: 90 });
const methods: (string | undefined)[] = [];
const proxy = createHttpServer((incoming, response) => {
  methods.push(incoming.method);
  const { method, headers, url: path } = incoming;
  const forwarded = request(
    new URL(path ?? '/', reference.baseUrl),
    { method, headers },
    (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.rawHeaders);
      reply.pipe(response);
    },
  );
  incoming.pipe(forwarded);
});
proxy.listen(0, '127.0.0.1');
await once(proxy, 'listening');

const bound = proxy.address();
const url = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`;
const { keys } = reference.world;
const report = await runConformance({
  baseUrl: url,
  appUrl: url,
  key: keys.wildcard,
  keys: {
    reviewer: keys.reviewer,
    ocr: keys.ocr,
    workflow: keys.workflow,
    otherTenant: keys.otherTenant,
  },
  fixtures: { ...reference.world.fixtures, bodyLimitBytes: '1048576' },
});
proxy.closeAllConnections();
proxy.close();
await reference.close();
process.stdout.write(JSON.stringify({ report, methods }));
