import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';

import { Router } from '@koa/router';
import type Koa from 'koa';

import { archiveEntries, exportDownload } from '../datasets/archive.ts';
import { downloadFile } from '../files/download-file.ts';
import { fileTooLarge, receiveBytes } from '../files/new-file.ts';
import { ApiError, issue, notFound, ROOT } from '../http/api-error.ts';
import { incomingBytes } from '../http/body.ts';
import { mount, refuseUnrouted } from '../http/mount.ts';
import type { Download } from '../http/response.ts';
import { findExamples, findLiveFile, findUpload } from '../resources/find.ts';
import type { StateWithUploads } from '../resources/find.ts';
import type { UploadRecord } from '../state/files.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { checkAddress, STORAGE_PREFIX } from '../access/signed-url.ts';
import { find } from '../store/records.ts';
import type { Services } from './services.ts';

/** A request whose signed URL is valid. */
export interface StorageRequest {
  readonly path: Readonly<Record<string, string>>;
  /** Includes `expires` and `signature`. */
  readonly query: Readonly<ParsedUrlQuery>;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** A route of the storage. */
export interface StorageRoute {
  /** `GET` also serves HEAD. */
  readonly method: 'GET' | 'PUT';
  /** Below the prefix of the storage, for example `/files/:fileId`. */
  readonly path: string;
  /** Returns a download, or undefined for a 204. Throws an {@link ApiError}. */
  handle(request: StorageRequest): Promise<Download | undefined>;
}

/** `PUT /_storage/uploads/{uploadId}`: receives the bytes of an upload. A later PUT replaces them. */
export function receiveUpload({ store, blobs, clock }: Services): StorageRoute {
  return {
    method: 'PUT',
    path: '/uploads/:uploadId',
    async handle({ path, incoming, outgoing }) {
      const id = path['uploadId'] ?? '';
      const { size } = findPending(store.state, id, clock.now()).declared;
      if (Number(incoming.headers['content-length'] ?? 0) > size) throw fileTooLarge(size);
      const bytes = await receiveBytes(blobs, incomingBytes(incoming, outgoing), size);
      try {
        await store.commit((state) => {
          findPending(state, id, clock.now()).object = bytes;
        });
      } finally {
        blobs.release(bytes.sha256);
      }
      return undefined;
    },
  };
}

/** Called before and after the bytes are received, because the upload may change meanwhile. */
function findPending<Found extends DeepReadonly<UploadRecord>>(
  state: StateWithUploads<Found>,
  id: string,
  now: number,
): Found {
  const upload = findUpload(state, id, now, () => true);
  if (upload.fileId === null) return upload;
  const message = 'the upload is completed, so its bytes cannot change';
  throw new ApiError(409, [issue('upload_completed', ROOT, message)], {
    hint: 'Start another upload with POST /v1/files/uploads.',
  });
}

/** `GET /_storage/files/{fileId}`: the bytes of a file, or a range of them. */
export function sendFile({ store, blobs, clock }: Services): StorageRoute {
  return {
    method: 'GET',
    path: '/files/:fileId',
    async handle({ path, incoming }) {
      const file = findLiveFile(store.state, path['fileId'] ?? '', clock.now());
      if (file === undefined) throw notFound('fileId', 'no file has this id');
      return downloadFile(blobs, file, incoming);
    },
  };
}

/** `GET /_storage/exports/{automationId}`: the current archive of a dataset. */
export function exportRoutes(services: Services): readonly StorageRoute[] {
  const { state } = services.store;
  return [
    {
      method: 'GET',
      path: '/exports/:automationId',
      async handle({ path, query }) {
        const automation = find(state.automations, path['automationId'] ?? '');
        if (automation === undefined) throw notFound('automationId', 'no automation has this id');
        const { exampleIds } = query;
        const list = typeof exampleIds === 'string' ? exampleIds : undefined;
        return exportDownload(
          services,
          automation,
          archiveEntries(findExamples(state, automation, list)),
        );
      },
    },
  ];
}

/** Returns all routes of the storage. */
export function storageRoutes(services: Services): readonly StorageRoute[] {
  return [receiveUpload(services), sendFile(services), ...exportRoutes(services)];
}

/**
 * Adds the storage to the app, before authentication: its URLs are signed with `signAddress` instead. Errors
 * use the envelope.
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
          if (reply !== undefined) respondDownload(ctx, reply);
        },
      ],
    );
  }
  app.use(router.routes());
  app.use(mount(STORAGE_PREFIX, refuseUnrouted(router)));
}

function respondDownload(ctx: Koa.Context, { headers, stream }: Download): void {
  ctx.set(headers);
  ctx.body = stream;
}
