import type { ExperimentFormat } from '../../generated/companions.ts';
import { findAutomation } from '../../api/automations/automation.ts';
import type { ApiRequest, Handler, Services } from '../../api/services.ts';
import { Download } from '../../http/response.ts';
import type { ExperimentRecord } from '../../store/datasets.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { experimentsOf, findExperimentOf, runsOf } from './present-experiment.ts';

interface ExportQuery {
  readonly format: ExperimentFormat;
  readonly includeTrace?: string;
}

/** `GET …/experiments/{experimentId}/export`: the results of an experiment. */
export function exportExperiment({ store: { state } }: Services): Handler<ExportQuery> {
  return async function handle(request: ApiRequest<ExportQuery>): Promise<Download> {
    const experiment = findExperimentOf(state, request);
    return exportResults(state, [experiment], readOptions(request.query, experiment.id));
  };
}

/** `GET …/experiments/export`: the results of all experiments of an automation. */
export function exportExperiments({ store: { state } }: Services): Handler<ExportQuery> {
  return async function handle({ key, path, query }: ApiRequest<ExportQuery>): Promise<Download> {
    const { id, slug } = findAutomation(state, key.tenantId, path['id'] ?? '');
    const experiments = experimentsOf(state, id);
    return exportResults(state, experiments, readOptions(query, `${slug}-experiments`));
  };
}

function readOptions(
  { format, includeTrace }: ExportQuery,
  filename: string,
): Parameters<typeof exportResults>[2] {
  const includesTrace = includeTrace === '1' || includeTrace === 'true';
  return { format, includesTrace, filename };
}

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

interface ExportOptions {
  readonly format: ExperimentFormat;
  /** Whether each row has the statuses of its run, as JSON. */
  readonly includesTrace: boolean;
  /** Without its extension. */
  readonly filename: string;
}

/** Returns the results of experiments as a download, a row for each. */
function exportResults(
  state: ReadonlyState,
  experiments: readonly DeepReadonly<ExperimentRecord>[],
  { format, includesTrace, filename }: ExportOptions,
): Download {
  const rows = experiments.flatMap((experiment) => rowsOf(state, experiment, includesTrace));
  const columns = includesTrace ? [...COLUMNS, 'trace'] : COLUMNS;
  const isCsv = format === 'csv';
  const bytes = Buffer.from(isCsv ? writeCsv(columns, rows) : JSON.stringify(rows));
  return new Download({
    content: bytes,
    filename: `${filename}.${format}`,
    ...(isCsv ? {} : { contentType: 'application/json' }),
  });
}

function rowsOf(
  state: ReadonlyState,
  experiment: DeepReadonly<ExperimentRecord>,
  includesTrace: boolean,
): Row[] {
  return runsOf(state, experiment).flatMap(({ id, status, evaluation, history, scores = [] }) =>
    scores.map((score): Row => ({
      experiment_id: experiment.id,
      run_id: id,
      example_id: evaluation?.exampleId ?? null,
      evaluator_name: score.evaluatorName,
      score: score.score,
      passed: score.passed,
      example_name: evaluation?.exampleName ?? null,
      run_status: status,
      evaluator_type: score.evaluatorType,
      label: score.label,
      weight: score.weight,
      pass_threshold: score.passThreshold,
      description: score.description,
      error: score.error,
      created_at: score.createdAt,
      ...(includesTrace ? { trace: JSON.stringify(history) } : {}),
    })),
  );
}

/** A cell of a table. */
type Cell = string | number | boolean | null;

/**
 * Returns a table as CSV (RFC 4180), with a line of column names. A text that a spreadsheet would take for a
 * formula gets an apostrophe in front. Null is an empty cell.
 */
function writeCsv(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, Cell>>[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? null))];
  return lines.map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join('');
}

const FORMULA = /^\s*[=+\-@\t\r\n]/;

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
