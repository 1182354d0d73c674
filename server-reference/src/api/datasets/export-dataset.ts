import { invalidValue, notFound } from '../../errors.ts';
import { Redirect } from '../../http/response.ts';
import type { Download } from '../../http/response.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { ExampleRecord } from '../../store/datasets.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { findAutomation } from '../automations/automation.ts';
import { exportAddress } from '../files/signed-url.ts';
import type { ApiRequest, Handler, Services } from '../services.ts';
import { archiveEntries, exportDownload } from './archive.ts';
import { examplesOf } from './examples.ts';

interface ExportQuery {
  readonly exampleIds?: string;
}

/** `GET /v1/automations/{id}/dataset/export`: the dataset, or some of its examples, as a ZIP archive. */
export function exportDataset(services: Services): Handler<ExportQuery> {
  return async function handle({
    key,
    path,
    query,
    origin,
  }: ApiRequest<ExportQuery>): Promise<Download | Redirect> {
    const { store, clock, settings } = services;
    refuseEmptyIds(query.exampleIds);
    const automation = findAutomation(store.state, key.tenantId, path['id'] ?? '');
    const examples = findExamples(store.state, automation, query.exampleIds);
    const entries = archiveEntries(examples);
    const bytes = entries.files.reduce((sum, { size }) => sum + size, 0);
    if (settings.redirectAboveBytes !== null && bytes > settings.redirectAboveBytes) {
      const exampleIds = query.exampleIds === undefined ? null : examples.map(({ id }) => id);
      const at = { now: clock.now(), seconds: settings.signedUrlSeconds };
      return new Redirect(origin + exportAddress(store.state, automation.id, exampleIds, at));
    }
    return exportDownload(services, automation, entries);
  };
}

/**
 * Refuses a list of ids with an empty item.
 *
 * @throws {ApiError} `invalid_value` for `exampleIds`
 */
function refuseEmptyIds(list: string | undefined): void {
  if (list === undefined || !list.split(',').includes('')) return;
  const hint = 'Separate ids with single commas, or omit the parameter for the whole dataset.';
  throw invalidValue('exampleIds', 'must not contain an empty id', hint);
}

/**
 * Returns the examples of an automation, ordered by name: all, or those in a list. The order of the list
 * and repeated ids are ignored.
 *
 * @param list - comma-separated ids
 * @throws {ApiError} `not_found` for `exampleIds` if an id is unknown
 */
export function findExamples(
  state: ReadonlyState,
  automation: DeepReadonly<AutomationRecord>,
  list: string | undefined,
): DeepReadonly<ExampleRecord>[] {
  const dataset = examplesOf(state, automation.id).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (list === undefined) return dataset;
  const chosen = list.split(',');
  const known = new Set<string>(dataset.map(({ id }) => id));
  const unknown = chosen.findIndex((id) => !known.has(id));
  if (unknown !== -1) {
    const message = `the automation has no dataset example with the id at position ${unknown + 1} of the list`;
    throw notFound('exampleIds', message);
  }
  return dataset.filter(({ id }) => chosen.includes(id));
}
