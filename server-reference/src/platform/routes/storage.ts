import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';

import type Koa from 'koa';

import { archiveEntries, exportDownload } from '../datasets/archive.ts';
import { downloadFile } from '../files/download-file.ts';
import { fileTooLarge, receiveBytes } from '../files/new-file.ts';
import { refuseChange } from '../files/upload-session.ts';
import { notFound } from '../http/api-error.ts';
import { incomingBytes } from '../http/body.ts';
import type { RequestState } from '../http/request.ts';
import type { Download } from '../http/response.ts';
import { RouteTable, unrouted } from '../http/route-table.ts';
import { findExamples, findLiveFile, findUpload } from '../resources/find.ts';
import type { UploadRecord } from '../state/files.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { ReadonlyState } from '../state/state.ts';
import { checkAddress, STORAGE_PREFIX } from '../access/signed-url.ts';
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

/**
 * `PUT /_storage/uploads/{uploadId}`: receives the bytes of an upload. A later PUT replaces them. After the
 * completion, bytes of the same size are accepted and change nothing.
 */
export function receiveUpload({ store, blobs, clock }: Services): StorageRoute {
  const read = (state: ReadonlyState, id: string): DeepReadonly<UploadRecord> =>
    findUpload(state, id, clock.now(), () => true);
  return {
    method: 'PUT',
    path: '/uploads/:uploadId',
    async handle({ path, incoming, outgoing }) {
      const { id, declared, completedAt } = read(store.state, path['uploadId'] ?? '');
      const { size: limit } = declared;
      if (Number(incoming.headers['content-length'] ?? 0) > limit) throw fileTooLarge(limit);
      const source = incomingBytes(incoming, outgoing);
      if (completedAt !== null) {
        const size = await countBytes(source, limit);
        refuseChange(read(store.state, id), size);
        return undefined;
      }
      const bytes = await receiveBytes(blobs, source, limit);
      try {
        await store.commit((state) => {
          const upload = read(state, id);
          refuseChange(upload, bytes.size);
          if (upload.completedAt === null) state.uploads.edit(upload.id).object = bytes;
        });
      } finally {
        blobs.release(bytes.sha256);
      }
      return undefined;
    },
  };
}

async function countBytes(source: AsyncIterable<Uint8Array>, limit: number): Promise<number> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > limit) throw fileTooLarge(limit);
  }
  return size;
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
        const automation = state.automations.get(path['automationId'] ?? '');
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

/** Serves the storage. Errors use the envelope. */
export function serveStorage(services: Services): Koa.Middleware<RequestState> {
  const { store, clock } = services;
  const routes = new RouteTable<StorageRoute>();
  for (const route of storageRoutes(services)) {
    routes.add(route.method, STORAGE_PREFIX + route.path, route);
  }
  return async function storage(ctx) {
    const match = routes.find(ctx.method, ctx.path);
    if (match.target === null) throw unrouted(ctx.method, match.methods);
    ctx.state.step = 'signature';
    checkAddress(ctx, store.state.ids.seed, clock.now());
    ctx.state.step = 'handler';
    const { req: incoming, res: outgoing } = ctx;
    const request = { path: match.params, query: ctx.query, incoming, outgoing };
    const reply = await match.target.handle(request);
    ctx.status = reply?.status ?? 204;
    if (reply !== undefined) respondDownload(ctx, reply);
  };
}

function respondDownload(ctx: Koa.Context, { headers, content }: Download): void {
  ctx.set(headers);
  ctx.body = content;
}
