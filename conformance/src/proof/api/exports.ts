import type { Incoming } from '../../http/message.ts';
import { refuse, withBytes, withQuery } from '../kit/message.ts';
import { editArchive, filtered, renamed } from './archive-edit.ts';
import type { Files } from './archive-edit.ts';
import { transformed } from './exported-archive.ts';
import { defect } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
import { onRequest, query, isByAlias } from '../kit/api.ts';

const EXPORT = 'exportDataset';

/** The archive of a dataset. */
export const exportDefects: readonly Defect[] = [
  exported('export-no-archive', 'export.zip', 'An export is a text.', (response) =>
    withBytes(response, Buffer.from('the dataset')),
  ),
  exported('export-cut-short', 'export.zip', 'An export lacks its last bytes.', (response) =>
    withBytes(response, response.bytes.slice(0, -30)),
  ),
  archived('export-without-input', 'export.folders', 'An export omits the input files.', (files) =>
    filtered(files, (path) => !path.includes('/input/')),
  ),
  archived(
    'export-folders-swapped',
    'export.folders',
    'Input and expected folders are swapped.',
    (files) =>
      renamed(files, (path) =>
        path
          .replace('/input/', '/swap/')
          .replace('/expected/', '/input/')
          .replace('/swap/', '/expected/'),
      ),
  ),
  archived(
    'export-without-examples-folder',
    'export.folders',
    'An export has no folder examples.',
    (files) => renamed(files, (path) => path.replace('examples/', '')),
  ),
  archived(
    'export-by-number',
    'export.whole-dataset',
    'Examples are named by their number.',
    (files) =>
      renamed(files, (path) =>
        path.replace(/^examples\/[^/]+/, (name) => `examples/${name.length}`),
      ),
  ),
  archived(
    'export-of-first-example',
    'export.whole-dataset',
    'An export has one example.',
    (files) => {
      const [first = ''] = [...files.keys()].map((path) => path.split('/')[1] ?? '');
      return filtered(files, (path) => path.startsWith(`examples/${first}/`));
    },
  ),
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
    api: transformed(async (response, { request }) =>
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
];

/** A change of the response of the export itself, or of the storage that it redirects to. */
function exported(
  id: string,
  breaks: string,
  does: string,
  change: (response: Incoming) => Incoming,
): Defect {
  return defect({
    id,
    breaks,
    does,
    api: transformed((response) => (response.status === 200 ? change(response) : response)),
  });
}

function archived(id: string, breaks: string, does: string, edit: (files: Files) => Files): Defect {
  return defect({ id, breaks, does, api: transformed((response) => editArchive(response, edit)) });
}
