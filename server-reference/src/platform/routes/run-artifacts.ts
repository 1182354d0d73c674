import type { RunArtifactList } from '@hookproof/spec';

import { contentDisposition } from '../files/content-disposition.ts';
import { downloadBytes } from '../files/download-file.ts';
import { UNKNOWN_TYPE } from '../files/new-file.ts';
import { archiveDownload } from '../datasets/archive.ts';
import type { StoredEntry } from '../datasets/archive.ts';
import { ApiError, issue, notFound, ROOT } from '../http/api-error.ts';
import { Download } from '../http/response.ts';
import { findRun } from '../resources/find.ts';
import { findArtifact, listArtifacts, traceFile, TRACE_PATH } from '../resources/run-artifacts.ts';
import type { StoredFile } from '../state/datasets.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { RunRecord } from '../state/runs.ts';
import type { ReadonlyState } from '../state/state.ts';
import type { Handler, Services } from './services.ts';

/** Maximum size of the files in an archive in bytes. */
const MAX_ARCHIVE_BYTES = 32 * 1_048_576;

interface ArtifactsQuery {
  /** `1` or `true` selects the archive. */
  readonly zip?: string;
  /** `review` adds the corrected files. */
  readonly bundle?: string;
}

/** `GET /v1/runs/{id}/artifacts`: the files of a run, or the archive of its output files. */
export function listRunArtifacts({ store, blobs }: Services): Handler<ArtifactsQuery> {
  return async function handle({ query, ...request }): Promise<RunArtifactList | Download> {
    const run = findRun(store.state, request);
    if (query.zip !== '1' && query.zip !== 'true') return { artifacts: listArtifacts(run) };
    const files = archiveFiles(store.state, run, query.bundle === 'review');
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes > MAX_ARCHIVE_BYTES) throw archiveTooLarge(bytes);
    return archiveDownload({ blobs }, `${run.id}-artifacts.zip`, { folders: [], files });
  };
}

function archiveFiles(
  { runReviews }: ReadonlyState,
  run: DeepReadonly<RunRecord>,
  isReview: boolean,
): StoredEntry[] {
  if (!isReview) return entries('', run.outputFiles);
  const expected = runReviews.get(run.id)?.expectedFiles ?? [];
  return [...entries('output/', run.outputFiles), ...entries('expected/', expected)];
}

function entries(prefix: string, files: readonly DeepReadonly<StoredFile>[]): StoredEntry[] {
  return files.map(({ path, size, sha256 }) => ({ name: prefix + path, size, sha256 }));
}

function archiveTooLarge(bytes: number): ApiError {
  const message = `the files must have at most ${MAX_ARCHIVE_BYTES} bytes together, got ${bytes}`;
  return new ApiError(413, [issue('artifacts_zip_too_large', ROOT, message)], {
    hint: 'Download the files one by one.',
  });
}

/** `GET /v1/runs/{id}/artifacts/{path}`: the bytes of a file of a run. */
export function downloadRunArtifact({ store, blobs }: Services): Handler {
  return async function handle(request): Promise<Download> {
    const run = findRun(store.state, request);
    const name = request.path['path'] ?? '';
    const trace = name === TRACE_PATH ? traceFile(run) : undefined;
    if (trace !== undefined) return traceDownload(trace);
    const file = findArtifact(run, name);
    if (file === undefined) throw notFound('path', 'the run has no file with this path');
    return downloadBytes(blobs, file);
  };
}

function traceDownload(bytes: Buffer): Download {
  return new Download({
    content: bytes,
    headers: {
      'Content-Type': UNKNOWN_TYPE,
      'Content-Length': String(bytes.length),
      'Content-Disposition': contentDisposition('trace.json'),
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
