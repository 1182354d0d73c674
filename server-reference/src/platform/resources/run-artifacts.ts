import type { RunArtifact } from '@hookproof/spec';

import type { StoredFile } from '../state/datasets.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { isTerminal } from '../state/run-transitions.ts';
import type { RunRecord } from '../state/runs.ts';
import { STEPS } from './run-steps.ts';
import { runTrace } from './run-trace.ts';

/** The path of the debug file that every ended run has. */
export const TRACE_PATH = 'debug/trace.json';

/** Returns the files of a run: those of its input, those of its output, and the trace of an ended run. */
export function listArtifacts(run: DeepReadonly<RunRecord>): RunArtifact[] {
  const input = (run.inputFiles ?? []).map((file) => presentFile('input', file));
  return [...input, ...outputArtifacts(run), ...debugArtifacts(run)];
}

/** Returns the output files of a run. `name` is the `outputFileName` of a copy. */
export function outputArtifacts(run: DeepReadonly<RunRecord>): RunArtifact[] {
  const made = run.type === 'workflow' ? { stepName: STEPS.save } : {};
  return run.outputFiles.map((file) => ({ ...presentFile('output', file), ...made }));
}

/** Returns the stored file at the path of an artifact; undefined without one. */
export function findArtifact(
  run: DeepReadonly<RunRecord>,
  path: string,
): DeepReadonly<StoredFile> | undefined {
  const inFolder = (folder: string, files: readonly DeepReadonly<StoredFile>[]) =>
    files.find((file) => `${folder}/${file.path}` === path);
  return inFolder('input', run.inputFiles ?? []) ?? inFolder('output', run.outputFiles);
}

/** Returns the bytes of {@link TRACE_PATH}; undefined while the run is open. */
export function traceFile(run: DeepReadonly<RunRecord>): Buffer | undefined {
  if (!isTerminal(run.status)) return undefined;
  const ended = `${run.status} ${run.completedAt}`;
  const known = TRACE_FILES.get(run);
  if (known?.ended === ended) return known.bytes;
  const events = runTrace(run, Date.parse(run.completedAt ?? run.createdAt));
  const bytes = Buffer.from(`${JSON.stringify({ runId: run.id, events }, null, 2)}\n`);
  TRACE_FILES.set(run, { ended, bytes });
  return bytes;
}

/** The trace of an ended run never changes, and a list of its files needs the size. */
const TRACE_FILES = new WeakMap<
  DeepReadonly<RunRecord>,
  { readonly ended: string; readonly bytes: Buffer }
>();

function presentFile(
  role: 'input' | 'output',
  { path, contentType, size }: DeepReadonly<StoredFile>,
): RunArtifact {
  return { name: path, role, path: `${role}/${path}`, contentType, size };
}

function debugArtifacts(run: DeepReadonly<RunRecord>): RunArtifact[] {
  const size = traceFile(run)?.length;
  if (size === undefined) return [];
  const name = TRACE_PATH.slice('debug/'.length);
  return [{ name, role: 'debug', path: TRACE_PATH, contentType: 'application/json', size }];
}
