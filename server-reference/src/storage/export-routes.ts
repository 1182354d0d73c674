import { notFound } from '../app/api-error.ts';
import type { Services } from '../app/handler.ts';
import { archiveEntries } from '../datasets/archive-entries.ts';
import { exportDownload } from '../datasets/export-download.ts';
import { findExamples } from '../datasets/find-example.ts';
import { find } from '../store/find.ts';
import type { StorageRoute } from './storage-route.ts';

/** `GET /_storage/exports/{automationId}`: the archive of a dataset, as it is now. */
export function exportRoutes(services: Services): readonly StorageRoute[] {
  const { state } = services.store;
  return [
    {
      method: 'GET',
      path: '/exports/:automationId',
      async handle({ path, query }) {
        const automation = find(state.automations, path['automationId'] ?? '');
        if (automation === undefined) throw notFound('automationId', 'there is no such automation');
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
