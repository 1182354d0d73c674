// Generated requests against the reference server, through proxies that change its responses. Prints the reports.
import { renderTerminal, runConformance } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';
import { startProxy } from '@hookproof/conformance/proof';
import type { Between } from '@hookproof/conformance/hooks';
import { createServer } from '@hookproof/server-reference';

const TEMPLATES = ['api.fuzz.templates'];

const changes: Record<string, Between> = {
  crash(request, next) {
    const offset = Number(new URL(request.url).searchParams.get('offset') ?? 0);
    if (offset <= 1_000_000) return next(request);
    return Promise.resolve({ status: 500, headers: [], bytes: Buffer.from('boom') });
  },
  async envelope(request, next) {
    const response = await next(request);
    if (response.status < 400) return response;
    return { ...response, bytes: Buffer.from('{"error":"no"}') };
  },
  async schema(request, next) {
    const response = await next(request);
    if (response.status >= 400 || !request.url.includes('/v1/templates')) return response;
    return { ...response, bytes: Buffer.from('{"items":[{"id":7}],"total":1}') };
  },
  limit(request, next) {
    const url = new URL(request.url);
    if (Number(url.searchParams.get('limit')) > 100) url.searchParams.set('limit', '100');
    return next({ ...request, url: url.href });
  },
  dropped(request, next) {
    if (!request.url.includes('%')) return next(request);
    return Promise.reject(new Error('dropped'));
  },
};

const server = await createServer({ store: { kind: 'memory' } });
const key = server.world.keys.wildcard;
const { baseUrl, appUrl, controlUrl, controlToken } = server;
const fuzz = { seconds: 2, seed: 3 };
const reports: Record<string, Report> = {
  reads: await runConformance({ baseUrl, appUrl, key, fuzz, only: ['api.fuzz'] }),
  writes: await runConformance({
    baseUrl,
    appUrl,
    control: { url: controlUrl, token: controlToken },
    allowWrites: true,
    allowDeletes: true,
    fuzz,
    only: ['api.fuzz'],
  }),
};
for (const [name, api] of Object.entries(changes)) {
  const proxy = await startProxy({ api }, { target: baseUrl });
  reports[name] = await runConformance({ baseUrl: proxy.url, key, fuzz, only: TEMPLATES });
  await proxy.close();
}
await server.close();
const crash = reports['crash'];
const terminal = crash === undefined ? '' : renderTerminal(crash, { verbose: true });
process.stdout.write(JSON.stringify({ reports, terminal }));
