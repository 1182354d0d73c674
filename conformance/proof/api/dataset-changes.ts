import { posix } from 'node:path';

import { chain } from '@hookproof/conformance/hooks';

import {
  onDownload,
  onRequest,
  onResponse,
  editResponse,
  isSuccess,
  fieldsOf,
  segment,
  isByAlias,
} from '../kit/api.ts';
import { editArchive, renamed } from '../kit/archive.ts';
import type { Files } from '../kit/archive.ts';
import { defect, perRun } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { refuse, respond, withJson } from '../kit/message.ts';

const RENAME = 'renameExpectedFile';
const DELETE = 'deleteInputFile';

/** Renames, deletions and updates of reviews, with their effect on the next export. */
export const datasetChangeDefects: readonly Defect[] = [
  defect({
    id: 'rename-without-effect',
    breaks: 'expected-rename.renames',
    does: 'A rename changes nothing.',
    api: onRequest(RENAME, (request) => {
      const name = fieldsOf(request)['newFilename'];
      return typeof name === 'string' && !name.includes('/') && name !== '' && !isByAlias(request)
        ? respond(200, { ok: true, filename: name, path: name })
        : request;
    }),
  }),
  defect({
    id: 'rename-copies',
    breaks: 'expected-rename.renames',
    does: 'A rename keeps the file under its old name too.',
    api: changing(RENAME, (files, { old, name }) => {
      const found = [...files].find(([path]) => posix.basename(path) === name);
      if (found !== undefined) files.set(posix.join(posix.dirname(found[0]), old), found[1]);
    }),
  }),
  defect({
    id: 'rename-folds-to-ascii',
    breaks: 'expected-rename.renames',
    does: 'A renamed file loses the characters of its name beyond ASCII.',
    api: onRequest(RENAME, (request) => {
      const { newFilename, ...others } = fieldsOf(request);
      if (typeof newFilename !== 'string') return request;
      const folded = newFilename.replaceAll(/[^ -~]/g, '_');
      return withJson(request, { ...others, newFilename: folded });
    }),
  }),
  defect({
    id: 'rename-keeps-the-extension',
    breaks: 'expected-rename.renames',
    does: 'A renamed file keeps its extension, whatever the new name is.',
    api: onRequest(RENAME, (request) => {
      const { newFilename, ...others } = fieldsOf(request);
      if (typeof newFilename !== 'string') return request;
      const { name } = posix.parse(newFilename);
      const kept = `${name}${posix.extname(basename(request.url))}`;
      return withJson(request, { ...others, newFilename: kept });
    }),
  }),
  defect({
    id: 'rename-ignores-case',
    breaks: 'expected-rename.renames',
    does: 'A rename that changes only the case of a name gets 200 and changes nothing.',
    api: onRequest(RENAME, (request) => {
      const name = fieldsOf(request)['newFilename'];
      const old = basename(request.url);
      return typeof name === 'string' && name.toLowerCase() === old.toLowerCase()
        ? respond(200, { ok: true, filename: name, path: name })
        : request;
    }),
  }),
  defect({
    id: 'rename-deletes-another',
    breaks: 'expected-rename.renames',
    does: 'A rename deletes an input file.',
    api: changing(RENAME, (files) => {
      const other = [...files.keys()].find((path) => path.includes('/input/'));
      if (other !== undefined) files.delete(other);
    }),
  }),
  defect({
    id: 'rename-moves-to-root',
    breaks: 'expected-rename.parent-kept',
    does: 'A renamed file moves to the expected folder itself.',
    api: changing(RENAME, (files, { name }) =>
      renamed(files, (path) =>
        posix.basename(path) === name ? path.replace(/\/expected\/.*$/, `/expected/${name}`) : path,
      ),
    ),
  }),
  defect({
    id: 'rename-takes-a-slash',
    breaks: 'expected-rename.parent-kept',
    does: 'A newFilename with a slash moves the file.',
    api: named((name) => name.includes('/')),
  }),
  defect({
    id: 'rename-takes-an-empty-name',
    breaks: 'expected-rename.renames',
    does: 'An empty newFilename loses the file.',
    api: named((name) => name === ''),
  }),
  defect({
    id: 'rename-of-subfolders-refused',
    breaks: 'expected-rename.path',
    does: 'A rename of a file in a subfolder gets 404.',
    api: onRequest(RENAME, (request) =>
      /\/expected\/.+\//.test(new URL(request.url).pathname) ? refuse(404) : request,
    ),
  }),
  defect({
    id: 'rename-alias-unknown',
    breaks: 'expected-rename.alias',
    does: 'A rename does not know the alias of an automation.',
    api: aliasUnknown(RENAME),
  }),
  defect({
    id: 'rename-echoes-old-name',
    breaks: 'expected-rename.response.names-file',
    does: 'The response to a rename has the old names.',
    api: editResponse(RENAME, (fields, { request }) => {
      fields['filename'] = fields['path'] = posix.basename(new URL(request.url).pathname);
    }),
  }),
  defect({
    id: 'rename-ok-as-text',
    breaks: 'expected-rename.response',
    does: 'ok in the response to a rename is a string.',
    api: editResponse(RENAME, (fields) => (fields['ok'] = 'true')),
  }),
  defect({
    id: 'delete-without-effect',
    breaks: 'input-delete.deletes',
    does: 'A delete gets 204 and keeps the file.',
    api: onRequest(DELETE, (request) => (isByAlias(request) ? request : respond(204))),
  }),
  defect({
    id: 'delete-takes-another',
    breaks: 'input-delete.deletes',
    does: 'A delete also deletes an expected file.',
    api: changing(DELETE, (files) => {
      const other = [...files.keys()].find((path) => path.includes('/expected/'));
      if (other !== undefined) files.delete(other);
    }),
  }),
  defect({
    id: 'delete-of-subfolders-kept',
    breaks: 'input-delete.path',
    does: 'A delete in a subfolder gets 204 and keeps the file.',
    api: onRequest(DELETE, (request) =>
      /\/input\/.+\//.test(new URL(request.url).pathname) ? respond(204) : request,
    ),
  }),
  defect({
    id: 'delete-wants-a-body',
    breaks: 'input-delete.no-request-body',
    does: 'A delete without a body gets 400.',
    api: onRequest(DELETE, (request) => (request.body === null ? refuse(400) : request)),
  }),
  defect({
    id: 'delete-alias-unknown',
    breaks: 'input-delete.alias',
    does: 'A delete does not know the alias of an automation.',
    api: aliasUnknown(DELETE),
  }),
  defect({
    id: 'update-writes-dataset',
    breaks: 'states.review.write-back-manual',
    does: 'An update of a review request changes the dataset.',
    api: written(() => true),
  }),
  defect({
    id: 'closing-writes-dataset',
    breaks: 'states.review.close-leaves-dataset',
    does: 'Closing a review request changes the dataset.',
    api: written((status) => status === 'closed'),
  }),
];

/** Changes the exports of an automation after each success of an operation. */
function remembering(
  operation: string,
  edit: (files: Files, change: Change) => Files | void,
): Open {
  return perRun((knowledge) => {
    const changes = new Map<string, Change[]>();
    const changesOf = (url: string): Change[] => changes.get(segment(url, 'automations')) ?? [];
    const exporting = onDownload('exportDataset', (response, { url }) =>
      changesOf(url).length === 0
        ? response
        : editArchive(response, (files) =>
            changesOf(url).reduce<Files>((now, change) => edit(now, change) ?? now, files),
          ),
    );
    const noting = onResponse(operation, (response, { request }) => {
      const { url } = request;
      const { newFilename, status } = fieldsOf(request);
      if (isSuccess(response))
        changes.set(segment(url, 'automations'), [...changesOf(url), { url, newFilename, status }]);
      return response;
    });
    return () => chain([exporting(knowledge), noting(knowledge)]);
  });
}

/** A request that changed a dataset. */
interface Change {
  readonly url: string;
  readonly newFilename: unknown;
  readonly status: unknown;
}

function changing(
  operation: string,
  edit: (files: Files, names: { readonly old: string; readonly name: string }) => Files | void,
): Open {
  return remembering(operation, (files, { url, newFilename }) =>
    edit(files, { old: basename(url), name: String(newFilename) }),
  );
}

/** Accepts a name that the target refuses, and renames the file to it in every export. */
function named(isTaken: (name: string) => boolean): Open {
  return (knowledge) => {
    const hooks = remembering(RENAME, (files, { url, newFilename }) => {
      const old = decodeURIComponent(new URL(url).pathname.split('/expected/')[1] ?? '');
      const path = posix.join(posix.dirname(old), String(newFilename));
      return renamed(files, (place) => place.replace(`/expected/${old}`, `/expected/${path}`));
    })(knowledge);
    return {
      ...hooks,
      api: (request, next) => {
        const isRename = knowledge.operationOf(request)?.operationId === RENAME;
        const { newFilename } = fieldsOf(request);
        const taken = isRename && typeof newFilename === 'string' && isTaken(newFilename);
        const pass: typeof next = taken
          ? async () => respond(200, { ok: true, filename: newFilename, path: newFilename })
          : next;
        return hooks.api?.(request, pass) ?? pass(request);
      },
    };
  };
}

function aliasUnknown(operation: string): Open {
  return onRequest(operation, (request) => (isByAlias(request) ? refuse(404) : request));
}

/** An archive can have further files, about which the contract says nothing. */
const EXAMPLE_FILE = /^examples\/.+\/(input|expected)\/[^/]/;

function written(isWritten: (status: unknown) => boolean): Open {
  return remembering('updateDatasetReviewRequest', (files, { status }) => {
    const file = [...files.keys()].find((path) => EXAMPLE_FILE.test(path));
    if (file !== undefined && isWritten(status)) files.set(file, Buffer.from('reviewed'));
  });
}

function basename(url: string): string {
  return decodeURIComponent(posix.basename(new URL(url).pathname));
}
