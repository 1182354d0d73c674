import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';

import Koa from 'koa';
import type { Middleware } from 'koa';
import compose from 'koa-compose';

import { notFound } from '../errors.ts';
import { incomingBytes } from '../http/body.ts';
import type { RequestState } from '../http/request.ts';
import { respondDownload } from '../http/response.ts';
import type { Download } from '../http/response.ts';
import { createRouter, refuseUnrouted } from '../http/router.ts';
import type { UploadRecord } from '../store/files.ts';
import type { DeepReadonly } from '../store/read-only.ts';
import type { ReadonlyState } from '../store/state.ts';
import { archiveEntries, exportDownload } from './datasets/archive.ts';
import { findExamples } from './datasets/export-dataset.ts';
import { downloadFile } from './files/download.ts';
import { fileTooLarge, findLiveFile, receiveBytes } from './files/file.ts';
import { checkAddress, STORAGE_PREFIX } from './files/signed-url.ts';
import { findUpload, refuseChange } from './files/uploads.ts';
import type { Services } from './services.ts';

/** A request whose signed URL is valid. */
interface StorageRequest {
  readonly path: Readonly<Record<string, string>>;
  /** Includes `expires` and `signature`. */
  readonly query: Readonly<ParsedUrlQuery>;
  readonly incoming: IncomingMessage;
}

/** A route of the storage. */
interface StorageRoute {
  /** `GET` also serves HEAD. */
  readonly method: 'GET' | 'PUT';
  /** Below the prefix of the storage, for example `/files/:fileId`. */
  readonly path: string;
  /** Returns a download, or undefined for a 204. Throws a {@link ApiError}. */
  handle(request: StorageRequest): Promise<Download | undefined>;
}

/**
 * `PUT /_storage/uploads/{uploadId}`: receives the bytes of an upload. A later PUT replaces them. After the
 * completion, the same bytes are accepted again and change nothing.
 */
function receiveUpload({ store, blobs, clock }: Services): StorageRoute {
  const read = (state: ReadonlyState, id: string): DeepReadonly<UploadRecord> =>
    findUpload(state, id, clock.now(), () => true);
  return {
    method: 'PUT',
    path: '/uploads/:uploadId',
    async handle({ path, incoming }) {
      const { id, declared, completedAt } = read(store.state, path['uploadId'] ?? '');
      const { size: limit } = declared;
      if (Number(incoming.headers['content-length'] ?? 0) > limit) throw fileTooLarge(limit);
      const source = incomingBytes(incoming);
      if (completedAt !== null) {
        const sha256 = await hashBytes(source, limit);
        refuseChange(read(store.state, id), sha256);
        return undefined;
      }
      const bytes = await receiveBytes(blobs, source, limit);
      await store.commit((state) => {
        const upload = read(state, id);
        refuseChange(upload, bytes.sha256);
        if (upload.completedAt === null) state.uploads.edit(upload.id).object = bytes;
      });
      return undefined;
    },
  };
}

async function hashBytes(source: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > limit) throw fileTooLarge(limit);
    hash.update(chunk);
  }
  return hash.digest('hex');
}

/** `GET /_storage/files/{fileId}`: the bytes of a file, or a range of them. */
function sendFile({ store, blobs, clock }: Services): StorageRoute {
  return {
    method: 'GET',
    path: '/files/:fileId',
    async handle({ path }) {
      const file = findLiveFile(store.state, path['fileId'] ?? '', clock.now());
      if (file === undefined) throw notFound('fileId', 'no file has this id');
      return downloadFile(blobs, file);
    },
  };
}

/** `GET /_storage/exports/{automationId}`: the current archive of a dataset. */
function sendExport(services: Services): StorageRoute {
  const { state } = services.store;
  return {
    method: 'GET',
    path: '/exports/:automationId',
    async handle({ path, query: { exampleIds } }) {
      const automation = state.automations.get(path['automationId'] ?? '');
      if (automation === undefined) throw notFound('automationId', 'no automation has this id');
      const list = typeof exampleIds === 'string' ? exampleIds : undefined;
      const examples = findExamples(state, automation, list);
      return exportDownload(services, automation, archiveEntries(examples));
    },
  };
}

/** Serves the storage. Errors use the envelope. */
export function serveStorage(services: Services): Middleware<RequestState> {
  const { store, clock } = services;
  const router = createRouter<RequestState>();
  for (const route of [receiveUpload, sendFile, sendExport].map((create) => create(services))) {
    router.register(STORAGE_PREFIX + route.path, [route.method], async (ctx) => {
      ctx.state.step = 'signature';
      checkAddress(ctx, store.state.ids.seed, clock.now());
      ctx.state.step = 'handler';
      const { params, query, req: incoming } = ctx;
      const download = await route.handle({ path: params, query, incoming });
      if (download === undefined) ctx.status = 204;
      else await respondDownload(ctx, download);
    });
  }
  const app = new Koa<RequestState>();
  app.use(router.routes()).use(refuseUnrouted);
  return compose(app.middleware);
}
