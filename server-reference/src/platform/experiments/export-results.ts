import type { ExperimentFormat } from '@hookproof/spec';

import { contentDisposition } from '../files/content-disposition.ts';
import { UNKNOWN_TYPE } from '../files/new-file.ts';
import { Download } from '../http/response.ts';
import { runsOf } from '../resources/present-experiment.ts';
import type { ExperimentRecord } from '../state/datasets.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { ReadonlyState } from '../state/state.ts';
import { writeCsv } from './write-csv.ts';
import type { Cell } from './write-csv.ts';

const COLUMNS = [
  'experiment_id',
  'run_id',
  'example_id',
  'evaluator_name',
  'score',
  'passed',
  'example_name',
  'run_status',
  'evaluator_type',
  'label',
  'weight',
  'pass_threshold',
  'description',
  'error',
  'created_at',
] as const;

type Row = Readonly<Record<string, Cell>>;

export interface ExportOptions {
  readonly format: ExperimentFormat;
  /** Whether each row has the statuses of its run, as JSON. */
  readonly includesTrace: boolean;
  /** Without its extension. */
  readonly filename: string;
}

/** Returns the results of experiments as a download, a row for each. */
export function exportResults(
  state: ReadonlyState,
  experiments: readonly DeepReadonly<ExperimentRecord>[],
  { format, includesTrace, filename }: ExportOptions,
): Download {
  const rows = experiments.flatMap((one) => rowsOf(state, one, includesTrace));
  const columns = includesTrace ? [...COLUMNS, 'trace'] : COLUMNS;
  const isCsv = format === 'csv';
  const bytes = Buffer.from(isCsv ? writeCsv(columns, rows) : JSON.stringify(rows));
  return new Download({
    content: bytes,
    headers: {
      'Content-Type': isCsv ? UNKNOWN_TYPE : 'application/json',
      'Content-Length': String(bytes.length),
      'Content-Disposition': contentDisposition(`${filename}.${format}`),
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

function rowsOf(
  state: ReadonlyState,
  experiment: DeepReadonly<ExperimentRecord>,
  includesTrace: boolean,
): Row[] {
  return runsOf(state, experiment).flatMap(({ id, status, evaluation, history, scores = [] }) =>
    scores.map((one): Row => ({
      experiment_id: experiment.id,
      run_id: id,
      example_id: evaluation?.exampleId ?? null,
      evaluator_name: one.evaluatorName,
      score: one.score,
      passed: one.passed,
      example_name: evaluation?.exampleName ?? null,
      run_status: status,
      evaluator_type: one.evaluatorType,
      label: one.label,
      weight: one.weight,
      pass_threshold: one.passThreshold,
      description: one.description,
      error: one.error,
      created_at: one.createdAt,
      ...(includesTrace ? { trace: JSON.stringify(history) } : {}),
    })),
  );
}
