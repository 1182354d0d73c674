import {
  count,
  onCall,
  onRequest,
  onResponse,
  editResponse,
  isSuccess,
  fieldsOf,
  segment,
  textOf,
  isByAlias,
} from '../kit/api.ts';
import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { refuse, respond, withJson } from '../kit/message.ts';

const MOVE = 'moveAutomation';

/** Where a move puts a workflow, what it returns, and which moves are refused. */
export const moveDefects: readonly Defect[] = [
  defect({
    id: 'moved-id-of-another',
    breaks: 'automation-move.response',
    does: 'A move returns another automation.',
    api: editResponse(MOVE, (moved) => (moved['id'] = 'wf_of_another_tenant')),
  }),
  defect({
    id: 'move-to-folder-clears-description',
    breaks: 'automation-move.only-folder',
    does: 'A move with folderId clears the description.',
    api: editResponse(MOVE, (moved, { request }) => {
      if (typeof fieldsOf(request)['folderId'] === 'string') moved['description'] = '';
    }),
  }),
  defect({
    id: 'move-to-root-disables-triggers',
    breaks: 'automation-move.only-folder',
    does: 'A move to the root disables every trigger.',
    api: editResponse(MOVE, (moved, { request }) => {
      const off = { api: false, email: false, manual: false, cron: false };
      if (fieldsOf(request)['folderPath'] === '/') moved['triggers'] = off;
    }),
  }),
  defect({
    id: 'folder-names-in-ascii',
    breaks: 'automation-move.folder-path.moves',
    does: 'The name of a folder has ASCII characters only.',
    api: editResponse(MOVE, (moved) => {
      const path = moved['folderPath'];
      if (typeof path === 'string') moved['folderPath'] = path.replaceAll(/[^ -~]/g, '_');
    }),
  }),
  defect({
    id: 'move-takes-its-folder-along',
    breaks: 'automation-move.only-folder',
    does: 'A move of a workflow moves the others of its folder too.',
    api: onCall(MOVE, async ({ request, next, key, knowledge, memory }) => {
      const response = await next(request);
      const folder = knowledge.fixtureOf(key, 'conflictingFolderId');
      const owner = knowledge.fixtureOf(key, 'conflictOwnerId');
      const id = textOf(fieldsOf(response)['id']);
      const isLeaving = isSuccess(response) && memory.get(id) === folder && id !== owner;
      memory.set(id, fieldsOf(response)['folderId']);
      if (isLeaving && owner !== undefined && memory.get(id) !== folder) {
        const url = request.url.replace(/[^/]+$/, owner);
        await next(withJson({ ...request, url }, fieldsOf(request)));
      }
      return response;
    }),
  }),
  defect({
    id: 'workflow-id-without-prefix',
    breaks: 'automation-move.automation.type-and-id',
    does: 'The id of a moved workflow starts with workflow_.',
    api: editResponse(
      MOVE,
      (moved) => (moved['id'] = String(moved['id']).replace('wf_', 'workflow_')),
    ),
  }),
  ...(['folderId', 'folderPath'] as const).flatMap((field) => {
    const word = field === 'folderId' ? 'folder-id' : 'folder-path';
    return [
      defect({
        id: `${word}-ignored`,
        breaks: `automation-move.${word}.moves`,
        does: `A move with ${field} puts the workflow at the root.`,
        api: onRequest(MOVE, (request) => {
          const value = fieldsOf(request)[field];
          return typeof value === 'string' && value !== ''
            ? withJson(request, { folderId: null })
            : request;
        }),
      }),
      defect({
        id: `moved-${word}-of-before`,
        breaks: `automation-move.automation.${word}`,
        does: `A move returns the ${field} that the workflow had before.`,
        api: onResponse(MOVE, (response, { memory }) => {
          if (!isSuccess(response)) return response;
          const moved = fieldsOf(response);
          const id = String(moved['id']);
          const before = memory.get(id) ?? null;
          memory.set(id, moved[field]);
          return withJson(response, { ...moved, [field]: before });
        }),
      }),
    ];
  }),
  defect({
    id: 'moved-path-is-last-part',
    breaks: 'automation-move.folder-path.creates',
    does: 'A move returns only the last folder of its path.',
    api: editResponse(MOVE, (moved) => {
      if (moved['folderPath'] !== null)
        moved['folderPath'] = textOf(moved['folderPath']).split('/').at(-1);
    }),
  }),
  defect({
    id: 'folder-id-null-ignored',
    breaks: 'automation-move.folder-id.null',
    does: 'folderId null puts the workflow into a folder.',
    api: onRequest(MOVE, (request) =>
      fieldsOf(request)['folderId'] === null ? withJson(request, { folderPath: 'Root' }) : request,
    ),
  }),
  defect({
    id: 'empty-path-ignored',
    breaks: 'automation-move.folder-path.empty-is-root',
    does: 'An empty folderPath puts the workflow into a folder.',
    api: onRequest(MOVE, (request) =>
      fieldsOf(request)['folderPath'] === '' ? withJson(request, { folderPath: 'Root' }) : request,
    ),
  }),
  defect({
    id: 'slash-ignored',
    breaks: 'automation-move.folder-path.slash-is-root',
    does: 'folderPath / puts the workflow into a folder.',
    api: onRequest(MOVE, (request) =>
      fieldsOf(request)['folderPath'] === '/' ? withJson(request, { folderPath: 'Root' }) : request,
    ),
  }),
  defect({
    id: 'folder-id-wins',
    breaks: 'automation-move.folder-path.wins',
    does: 'folderId takes precedence over folderPath.',
    api: onRequest(MOVE, (request) => {
      const { folderId, folderPath } = fieldsOf(request);
      const both = typeof folderId === 'string' && typeof folderPath === 'string';
      return both && folderId.length < 200 ? withJson(request, { folderId }) : request;
    }),
  }),
  defect({
    id: 'null-folder-id-wins',
    breaks: 'automation-move.folder-path.wins',
    does: 'folderId null takes precedence over a folderPath.',
    api: onRequest(MOVE, (request) => {
      const { folderId, folderPath } = fieldsOf(request);
      return folderId === null && textOf(folderPath) !== ''
        ? withJson(request, { folderId })
        : request;
    }),
  }),
  defect({
    id: 'empty-folder-path-loses',
    breaks: 'automation-move.folder-path.wins',
    does: 'folderId takes precedence over an empty folderPath.',
    api: onRequest(MOVE, (request) => {
      const { folderId, folderPath } = fieldsOf(request);
      return folderPath === '' && typeof folderId === 'string'
        ? withJson(request, { folderId })
        : request;
    }),
  }),
  defect({
    id: 'third-folder-left-out',
    breaks: 'automation-move.folder-path.creates',
    does: 'A folderPath of more than two folders leads to the second.',
    api: onRequest(MOVE, (request) => {
      const { folderPath, ...others } = fieldsOf(request);
      const parts = textOf(folderPath).split('/');
      if (parts.length < 3) return request;
      return withJson(request, { ...others, folderPath: parts.slice(0, 2).join('/') });
    }),
  }),
  defect({
    id: 'created-folder-has-no-id',
    breaks: 'automation-move.folder-path.creates',
    does: 'A move by path returns a folderId that no later move knows.',
    api: editResponse(MOVE, (moved, { request }) => {
      const path = textOf(fieldsOf(request)['folderPath']);
      if (path.includes('/') && moved['folderId'] !== null) moved['folderId'] = `folder_of_${path}`;
    }),
  }),
  defect({
    id: 'folders-never-created',
    breaks: 'automation-move.folder-path.creates',
    does: 'A move to a missing folder gets 404.',
    api: onRequest(MOVE, (request) =>
      /\w+\/\w+/.test(textOf(fieldsOf(request)['folderPath'])) ? refuse(404) : request,
    ),
  }),
  defect({
    id: 'folders-created-twice',
    breaks: 'automation-move.folder-path.creates',
    does: 'Each move by path creates a folder.',
    api: onResponse(MOVE, (response, call) => {
      const { request } = call;
      const byPath = typeof fieldsOf(request)['folderPath'] === 'string';
      if (!isSuccess(response) || !byPath || fieldsOf(response)['folderId'] === null)
        return response;
      return withJson(response, { ...fieldsOf(response), folderId: `folder_${count(call)}` });
    }),
  }),
  defect({
    id: 'unknown-folder-is-root',
    breaks: 'automation-move.folder-id.unknown',
    does: 'An unknown folderId puts the workflow at the root.',
    api: onCall(MOVE, async ({ request, next }) => {
      const response = await next(request);
      const isUnknown = response.status === 404 && 'folderId' in fieldsOf(request);
      return isUnknown ? next(withJson(request, { folderId: null })) : response;
    }),
  }),
  defect({
    id: 'folder-id-unchecked-beside-path',
    breaks: 'automation-move.folder-id.validated-beside-path',
    does: 'Beside a folderPath, folderId is not validated.',
    api: onRequest(MOVE, (request) => {
      const { folderId, folderPath } = fieldsOf(request);
      return typeof folderId === 'string' && folderPath !== undefined
        ? withJson(request, { folderPath })
        : request;
    }),
  }),
  defect({
    id: 'move-alias-unknown',
    breaks: 'automation-move.alias',
    does: 'A move does not know the alias of a workflow.',
    api: onRequest(MOVE, (request) => (isByAlias(request) ? refuse(404) : request)),
  }),
  defect({
    id: 'move-alias-of-another',
    breaks: 'automation-move.path-alias',
    does: 'A move by alias returns another workflow.',
    api: editResponse(MOVE, (moved, { request }) => {
      if (isByAlias(request)) moved['id'] = 'wf_0';
    }),
  }),
  defect({
    id: 'agent-moved',
    breaks: 'automation-move.agent-rejected',
    does: 'A move of an agent gets 200.',
    api: agentMoved('agent_'),
  }),
  defect({
    id: 'agent-moved-by-alias',
    breaks: 'automation-move.path-alias',
    does: 'A move of an agent by its alias gets 200.',
    api: agentMoved('agents.'),
  }),
];

function agentMoved(prefix: string): Open {
  return onResponse(MOVE, (response, { request }) =>
    segment(request.url, 'automations').startsWith(prefix) && response.status === 400
      ? respond(200, { id: 'agent_0', type: 'agent', slug: 'agent', name: 'An agent' })
      : response,
  );
}
