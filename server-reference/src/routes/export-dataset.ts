import type { ApiRequest, Handler, Services } from '../app/handler.ts';
import { Redirect } from '../app/reply.ts';
import type { Download } from '../app/reply.ts';
import { archiveEntries } from '../datasets/archive-entries.ts';
import { exportDownload } from '../datasets/export-download.ts';
import { findExamples, refuseEmptyIds } from '../datasets/find-example.ts';
import { exportAddress } from '../storage/export-address.ts';
import { findAutomation } from './find-automation.ts';

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
