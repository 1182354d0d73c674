// A default run of the real catalogue against the reference server, through a proxy that records every method.
import { runConformance } from '@hookproof/conformance';
import { startProxy } from '@hookproof/conformance/proof';
import type { Proxy } from '@hookproof/conformance/proof';
import { createServer } from '@hookproof/server-reference';

// Larger than the smallest file of the fixtures, so that there are downloads of both kinds.
const reference = await createServer({ store: { kind: 'memory' }, redirectAboveBytes: 90 });
const methods: string[] = [];
const proxy: Proxy = await startProxy(
  {
    api(request, next) {
      methods.push(request.method);
      // The server learns the host of the proxy, so that its downloads lead through it too.
      const host = ['host', new URL(proxy.url).host] as const;
      return next({ ...request, headers: [...request.headers, host] });
    },
  },
  { target: reference.baseUrl },
);
const { url } = proxy;
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
await proxy.close();
await reference.close();
process.stdout.write(JSON.stringify({ report, methods }));
