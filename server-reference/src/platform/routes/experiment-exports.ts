import type { ExperimentFormat } from '@hookproof/spec';

import { exportResults } from '../experiments/export-results.ts';
import type { Download } from '../http/response.ts';
import { findAutomation, findExperimentOf } from '../resources/find.ts';
import { recordsOf } from '../state/table.ts';
import type { ApiRequest, Handler, Services } from './services.ts';

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
    const experiments = recordsOf(state.experimentRows.of(id), state.experiments);
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
