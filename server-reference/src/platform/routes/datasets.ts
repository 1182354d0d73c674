import type { DatasetImport, DatasetImportForm } from '@hookproof/spec';

import { isoTime } from '../clock/clock.ts';
import { exportAddress } from '../access/signed-url.ts';
import { archiveEntries, exportDownload } from '../datasets/archive.ts';
import { importArchive } from '../datasets/import-archive.ts';
import { appendExamples, replaceExamples } from '../datasets/import-examples.ts';
import { Redirect } from '../http/response.ts';
import type { Download } from '../http/response.ts';
import { findAutomation, findExamples, refuseEmptyIds } from '../resources/find.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { refuseBeyond, refuseFull } from '../store/room.ts';
import type { ApiRequest, Handler, Services } from './services.ts';

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

/** Numbers can be longer in JSON than they were sent, such as `1e20`. */
const JSON_GROWTH = 8;

/** `POST /v1/automations/{id}/dataset/import`: adds the examples of an archive, all or none. */
export function importDataset(
  services: Services,
): Handler<unknown, unknown, Pick<DatasetImportForm, 'mode'>> {
  const { store, blobs, clock, settings } = services;
  const limits = {
    unpackedBytes: settings.uploadLimitBytes,
    jsonBytes: JSON_GROWTH * settings.bodyLimitBytes,
    refuseBeyond: (bytes: number) => refuseBeyond(store.state, bytes),
  };
  return async function handle({ key, path, form }): Promise<DeepReadonly<DatasetImport>> {
    refuseFull(store.state);
    if (form === null) throw new Error('The operation takes a form.');
    const id = path['id'] ?? '';
    findAutomation(store.state, key.tenantId, id);
    return form(async ({ texts: { mode }, files: [file] }) => {
      if (file === undefined) throw new Error('The schema requires the file.');
      return importArchive(blobs, file.bytes, limits, (examples) =>
        store.commit((state) => {
          const automation = findAutomation(state, key.tenantId, id);
          const createdAt = isoTime(clock.now());
          const change = mode === 'replace' ? replaceExamples : appendExamples;
          return change(state, automation, createdAt, examples);
        }),
      );
    });
  };
}
