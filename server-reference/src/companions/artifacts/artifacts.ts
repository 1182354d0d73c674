import type { RunArtifact } from '@hookproof/spec';

import type { RunArtifactList } from '../../generated/companions.ts';
import { archiveDownload } from '../../api/datasets/archive.ts';
import type { StoredEntry } from '../../api/datasets/archive.ts';
import { downloadBytes } from '../../api/files/download.ts';
import { outputArtifacts, presentArtifact } from '../../api/runs/run-view.ts';
import { findRun } from '../../api/runs/runs.ts';
import type { Handler, Services } from '../../api/services.ts';
import { ROOT, notFound, refusal } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import { Download } from '../../http/response.ts';
import type { StoredFile } from '../../store/datasets.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { isTerminal } from '../../events/run-transitions.ts';
import type { RunRecord } from '../../store/runs.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { runTrace } from '../runs/run-history.ts';

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
  return refusal('artifacts_zip_too_large', ROOT, message, {
    hint: 'Download the files one by one.',
  });
}

/** `GET /v1/runs/{id}/artifacts/{path}`: the bytes of a file of a run. */
export function downloadRunArtifact({ store, blobs }: Services): Handler {
  return async function handle(request): Promise<Download> {
    const run = findRun(store.state, request);
    const name = request.path['path'] ?? '';
    const trace = name === TRACE_PATH ? traceFile(run) : undefined;
    if (trace !== undefined) {
      return new Download({ content: trace, filename: 'trace.json' });
    }
    const file = findArtifact(run, name);
    if (file === undefined) throw notFound('path', 'the run has no file with this path');
    return downloadBytes(blobs, file);
  };
}

/** The path of the debug file that every ended run has. */
const TRACE_PATH = 'debug/trace.json';

/** Returns the files of a run: those of its input, those of its output, and the trace of an ended run. */
function listArtifacts(run: DeepReadonly<RunRecord>): RunArtifact[] {
  const input = (run.inputFiles ?? []).map((file) => presentArtifact('input', file));
  return [...input, ...outputArtifacts(run), ...debugArtifacts(run)];
}

/** Returns the stored file at the path of an artifact; undefined without one. */
function findArtifact(
  run: DeepReadonly<RunRecord>,
  path: string,
): DeepReadonly<StoredFile> | undefined {
  const inFolder = (folder: string, files: readonly DeepReadonly<StoredFile>[]) =>
    files.find((file) => `${folder}/${file.path}` === path);
  return inFolder('input', run.inputFiles ?? []) ?? inFolder('output', run.outputFiles);
}

/** Returns the bytes of {@link TRACE_PATH}; undefined while the run is open. */
function traceFile(run: DeepReadonly<RunRecord>): Buffer | undefined {
  if (!isTerminal(run.status)) return undefined;
  const events = runTrace(run, Date.parse(run.completedAt ?? run.createdAt));
  return Buffer.from(`${JSON.stringify({ runId: run.id, events }, null, 2)}\n`);
}

function debugArtifacts(run: DeepReadonly<RunRecord>): RunArtifact[] {
  const size = traceFile(run)?.length;
  if (size === undefined) return [];
  const name = TRACE_PATH.slice('debug/'.length);
  return [{ name, role: 'debug', path: TRACE_PATH, contentType: 'application/json', size }];
}
