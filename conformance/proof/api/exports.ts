import type { Incoming } from '@hookproof/conformance/hooks';

import { onDownload, onRequest, query, isByAlias, segment } from '../kit/api.ts';
import { editArchive, filtered, renamed } from '../kit/archive.ts';
import type { Files } from '../kit/archive.ts';
import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { refuse, withBytes, withQuery } from '../kit/message.ts';

const EXPORT = 'exportDataset';

/** The archive of a dataset. */
export const exportDefects: readonly Defect[] = [
  defect({
    id: 'export-cut-short',
    breaks: 'export.zip',
    does: 'An export lacks its last bytes.',
    api: exported((response) => withBytes(response, response.bytes.slice(0, -30))),
  }),
  defect({
    id: 'export-folders-swapped',
    breaks: 'export.folders',
    does: 'Input and expected folders are swapped.',
    api: archived((files) =>
      renamed(files, (path) =>
        path
          .replace('/input/', '/swap/')
          .replace('/expected/', '/input/')
          .replace('/swap/', '/expected/'),
      ),
    ),
  }),
  defect({
    id: 'export-with-backslashes',
    breaks: 'export.folders',
    does: 'An export has backslashes in place of the slashes in its names.',
    api: archived((files) => renamed(files, (path) => path.replaceAll('/', '\\'))),
  }),
  defect({
    id: 'export-of-first-example',
    breaks: 'export.whole-dataset',
    does: 'An export has one example.',
    api: archived((files) => {
      const [first = ''] = [...files.keys()].map((path) => path.split('/')[1] ?? '');
      return filtered(files, (path) => path.startsWith(`examples/${first}/`));
    }),
  }),
  defect({
    id: 'export-choice-ignored',
    breaks: 'export.chosen-examples',
    does: 'An export ignores the list of examples.',
    api: onRequest(EXPORT, (request) => withQuery(request, 'exampleIds', null)),
  }),
  defect({
    id: 'export-choice-of-first',
    breaks: 'export.chosen-examples',
    does: 'An export has only the first of several chosen examples.',
    api: onRequest(EXPORT, (request) => {
      const [first = ''] = (query(request.url, 'exampleIds') ?? '').split(',');
      return first === '' ? request : withQuery(request, 'exampleIds', first);
    }),
  }),
  defect({
    id: 'export-choice-incomplete',
    breaks: 'export.chosen-examples',
    does: 'An export of chosen examples omits their expected files.',
    api: onDownload(EXPORT, async (response, request) =>
      query(request.url, 'exampleIds') === null
        ? response
        : editArchive(response, (files) => filtered(files, (path) => path.includes('/input/'))),
    ),
  }),
  defect({
    id: 'export-alias-unknown',
    breaks: 'export.alias',
    does: 'An export does not know the alias of an automation.',
    api: onRequest(EXPORT, (request) => (isByAlias(request) ? refuse(404) : request)),
  }),
  defect({
    id: 'export-agent-alias-unknown',
    breaks: 'export.alias',
    does: 'An export does not know the alias of an agent.',
    api: onRequest(EXPORT, (request) =>
      segment(request.url, 'automations').startsWith('agents.') ? refuse(404) : request,
    ),
  }),
];

function exported(change: (response: Incoming) => Incoming): Open {
  return onDownload(EXPORT, (response) => (response.status === 200 ? change(response) : response));
}

function archived(edit: (files: Files) => Files): Open {
  return onDownload(EXPORT, (response) => editArchive(response, edit));
}
