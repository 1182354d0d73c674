import { posix } from 'node:path';

import type { Incoming } from '../../http/message.ts';
import { refuse, withBytes, withQuery } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import { editArchive, filtered, renamed } from './archive-edit.ts';
import type { Files } from './archive-edit.ts';
import { asking, defect, during, query, segment } from './exchange.ts';
import { transformed } from './exported-archive.ts';

const EXPORT = 'exportDataset';

/** The archive of a dataset. */
export const exportDefects: readonly Defect[] = [
  exported('export-no-archive', 'export.zip', 'An export is a text.', (response) =>
    withBytes(response, Buffer.from('the dataset')),
  ),
  exported('export-cut-short', 'export.zip', 'An export lacks its last bytes.', (response) =>
    withBytes(response, response.bytes.slice(0, -30)),
  ),
  exported('export-empty', 'export.zip', 'An export has no bytes.', (response) =>
    withBytes(response, new Uint8Array()),
  ),
  exported('export-status-201', 'export.zip', 'An export gets 201.', (response) => ({
    ...response,
    status: 201,
  })),
  archived('export-without-input', 'export.folders', 'An export omits the input files.', (files) =>
    filtered(files, (path) => !path.includes('/input/')),
  ),
  archived(
    'export-without-expected',
    'export.folders',
    'An export omits the expected files.',
    (files) => filtered(files, (path) => !path.includes('/expected/')),
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
    'export-below-dataset',
    'export.folders',
    'An export is in the folder dataset.',
    (files) => renamed(files, (path) => `dataset/${path}`),
  ),
  archived(
    'export-without-examples-folder',
    'export.folders',
    'An export has no folder examples.',
    (files) => renamed(files, (path) => path.replace('examples/', '')),
  ),
  archived('export-flat', 'export.folders', 'An export has no subfolders.', (files) =>
    renamed(files, (path) => {
      const [examples = '', name = '', folder = ''] = path.split('/');
      return posix.join(examples, name, folder, posix.basename(path));
    }),
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
  defect(
    'export-choice-ignored',
    'export.chosen-examples',
    'An export ignores the list of examples.',
    asking(EXPORT, (request) => withQuery(request, 'exampleIds', null)),
  ),
  defect(
    'export-choice-of-first',
    'export.chosen-examples',
    'An export has only the first of several chosen examples.',
    asking(EXPORT, (request) => {
      const [first = ''] = (query(request.url, 'exampleIds') ?? '').split(',');
      return first === '' ? request : withQuery(request, 'exampleIds', first);
    }),
  ),
  defect(
    'export-choice-incomplete',
    'export.chosen-examples',
    'An export of chosen examples omits their expected files.',
    transformed(async (response, { request }) =>
      query(request.url, 'exampleIds') === null
        ? response
        : editArchive(response, (files) => filtered(files, (path) => path.includes('/input/'))),
    ),
  ),
  defect(
    'export-alias-unknown',
    'export.alias',
    'An export does not know the alias of an automation.',
    during(EXPORT, ({ request, next }) =>
      segment(request.url, 'automations').startsWith('workflows.') ? refuse(404) : next(request),
    ),
  ),
];

/** A change of the response of the export itself, or of the storage that it redirects to. */
function exported(
  id: string,
  breaks: string,
  does: string,
  change: (response: Incoming) => Incoming,
): Defect {
  return defect(
    id,
    breaks,
    does,
    transformed((response) => (response.status === 200 ? change(response) : response)),
  );
}

function archived(id: string, breaks: string, does: string, edit: (files: Files) => Files): Defect {
  return defect(
    id,
    breaks,
    does,
    transformed((response) => editArchive(response, edit)),
  );
}
