import { Router } from '@koa/router';
import type Koa from 'koa';

import { belowPrefix } from '../app/below-prefix.ts';
import type { Services } from '../app/handler.ts';
import { refuseUnrouted } from '../app/refuse-unrouted.ts';
import type { Download } from '../app/reply.ts';
import { exportRoutes } from './export-routes.ts';
import { receiveUpload } from './receive-upload.ts';
import { sendFile } from './send-file.ts';
import { STORAGE_PREFIX, checkAddress } from './signed-address.ts';
import type { StorageRequest, StorageRoute } from './storage-route.ts';

/** Everything that a signed address can lead to. */
export function storageRoutes(services: Services): readonly StorageRoute[] {
  return [receiveUpload(services), sendFile(services), ...exportRoutes(services)];
}

/**
 * Puts the storage into the app, in front of the API keys: its addresses are signed instead, with
 * `signAddress`. Errors leave in the envelope, as everywhere.
 */
export function useStorage(app: Koa, services: Services): void {
  const { store, clock } = services;
  const router = new Router({ strict: true, sensitive: true });
  for (const route of storageRoutes(services)) {
    router.register(
      STORAGE_PREFIX + route.path,
      [route.method],
      [
        async (ctx) => {
          checkAddress(ctx, store.state.ids.seed, clock.now());
          const { params: path, req: incoming, res: outgoing } = ctx;
          const request: StorageRequest = { path, query: ctx.query, incoming, outgoing };
          const reply = await route.handle(request);
          ctx.status = reply?.status ?? 204;
          if (reply !== undefined) answerDownload(ctx, reply);
        },
      ],
    );
  }
  app.use(router.routes());
  app.use(belowPrefix(STORAGE_PREFIX, refuseUnrouted(router)));
}

function answerDownload(ctx: Koa.Context, { headers, stream }: Download): void {
  ctx.set(headers);
  ctx.body = stream;
}
