import { once } from 'node:events';
import { createServer as createHttpServer, request } from 'node:http';

import { runConformance } from '@hookproof/conformance';
import { createServer } from '@hookproof/server-reference';

/** A default run of the real catalogue against the reference server, seen by a front that notes every method. */
// Above the smallest of the fixtures' files, so that there is a download of either kind.
const reference = await createServer({ store: { kind: 'memory' }, redirectAboveBytes: 90 });
const methods = [];
const front = createHttpServer((incoming, response) => {
  methods.push(incoming.method);
  const { method, headers, url } = incoming;
  const onward = request(new URL(url ?? '/', reference.baseUrl), { method, headers }, (reply) => {
    response.writeHead(reply.statusCode ?? 500, reply.rawHeaders);
    reply.pipe(response);
  });
  incoming.pipe(onward);
});
front.listen(0, '127.0.0.1');
await once(front, 'listening');

const address = `http://127.0.0.1:${front.address().port}`;
const { keys } = reference.world;
const report = await runConformance({
  baseUrl: address,
  appUrl: address,
  key: keys.wildcard,
  keys: {
    reviewer: keys.reviewer,
    ocr: keys.ocr,
    workflow: keys.workflow,
    otherTenant: keys.otherTenant,
  },
  fixtures: { ...reference.world.fixtures, bodyLimitBytes: '1048576' },
});
front.closeAllConnections();
front.close();
await reference.close();
process.stdout.write(JSON.stringify({ report, methods }));
