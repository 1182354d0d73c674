import { refuse, respond, withJson } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import {
  always,
  asking,
  defect,
  during,
  editing,
  fieldsOf,
  isSuccess,
  segment,
  textOf,
} from './exchange.ts';

const MOVE = 'moveAutomation';

/** Where a move puts a workflow, what it returns, and which moves are refused. */
export const moveDefects: readonly Defect[] = [
  defect(
    'moved-id-of-another',
    'automation-move.response',
    'A move returns another automation.',
    editing(MOVE, (moved) => (moved['id'] = 'wf_of_another_tenant')),
  ),
  defect(
    'moved-response-of-first',
    'automation-move.response',
    'Every move returns the automation that was moved first.',
    always(async ({ operationId, request, next, memory }) => {
      const response = await next(request);
      if (operationId !== MOVE || !isSuccess(response)) return response;
      const key = 'first';
      if (!memory.has(key)) memory.set(key, fieldsOf(response)['id']);
      return withJson(response, { ...fieldsOf(response), id: memory.get(key) });
    }),
  ),
  defect(
    'workflow-of-type-agent',
    'automation-move.automation.type-values',
    'The type of a moved workflow is agent.',
    editing(MOVE, (moved) => (moved['type'] = 'agent')),
  ),
  defect(
    'workflow-id-without-prefix',
    'automation-move.automation.workflow-id',
    'The id of a moved workflow starts with workflow_.',
    editing(MOVE, (moved) => (moved['id'] = String(moved['id']).replace('wf_', 'workflow_'))),
  ),
  ...(['folderId', 'folderPath'] as const).flatMap((field) => {
    const word = field === 'folderId' ? 'folder-id' : 'folder-path';
    return [
      defect(
        `${word}-ignored`,
        `automation-move.${word}.moves`,
        `A move with ${field} puts the workflow at the root.`,
        asking(MOVE, (request) => {
          const value = fieldsOf(request)[field];
          return typeof value === 'string' && value !== ''
            ? withJson(request, { folderId: null })
            : request;
        }),
      ),
      defect(
        `moved-${word}-null`,
        `automation-move.automation.${word}`,
        `A move returns ${field} null.`,
        editing(MOVE, (moved) => (moved[field] = null)),
      ),
      defect(
        `moved-${word}-of-before`,
        `automation-move.automation.${word}`,
        `A move returns the ${field} that the workflow had before.`,
        during(MOVE, async ({ request, next, memory }) => {
          const response = await next(request);
          if (!isSuccess(response)) return response;
          const moved = fieldsOf(response);
          const id = String(moved['id']);
          const before = memory.get(id) ?? null;
          memory.set(id, moved[field]);
          return withJson(response, { ...moved, [field]: before });
        }),
      ),
    ];
  }),
  defect(
    'moved-path-is-last-part',
    'automation-move.folder-path.creates',
    'A move returns only the last folder of its path.',
    editing(MOVE, (moved) => {
      if (moved['folderPath'] !== null)
        moved['folderPath'] = textOf(moved['folderPath']).split('/').at(-1);
    }),
  ),
  defect(
    'moved-path-with-dots',
    'automation-move.automation.folder-path',
    'The parts of a folderPath are separated by dots.',
    editing(MOVE, (moved) => {
      if (moved['folderPath'] !== null)
        moved['folderPath'] = `Tenant.${textOf(moved['folderPath']).replaceAll('/', '.')}`;
    }),
  ),
  ...Object.entries({
    'folder-id-null-ignored': { target: null, rule: 'folder-id.null', does: 'folderId null' },
    'empty-path-ignored': {
      target: '',
      rule: 'folder-path.empty-is-root',
      does: 'An empty folderPath',
    },
    'slash-ignored': { target: '/', rule: 'folder-path.slash-is-root', does: 'folderPath /' },
  }).map(([id, { target, rule, does }]) =>
    defect(
      id,
      `automation-move.${rule}`,
      `${does} puts the workflow into a folder.`,
      asking(MOVE, (request) => {
        const { folderId, folderPath } = fieldsOf(request);
        const isConcerned = target === null ? folderId === null : folderPath === target;
        return isConcerned ? withJson(request, { folderPath: 'Root' }) : request;
      }),
    ),
  ),
  defect(
    'folder-id-wins',
    'automation-move.folder-path.wins',
    'folderId takes precedence over folderPath.',
    asking(MOVE, (request) => {
      const { folderId, folderPath } = fieldsOf(request);
      const both = typeof folderId === 'string' && typeof folderPath === 'string';
      return both && folderId.length < 200 ? withJson(request, { folderId }) : request;
    }),
  ),
  defect(
    'folders-never-created',
    'automation-move.folder-path.creates',
    'A move to a missing folder gets 404.',
    during(MOVE, ({ request, next }) =>
      /\w+\/\w+/.test(textOf(fieldsOf(request)['folderPath'])) ? refuse(404) : next(request),
    ),
  ),
  defect(
    'folders-created-twice',
    'automation-move.folder-path.creates',
    'Each move by path creates a folder.',
    during(MOVE, async ({ request, next, memory }) => {
      const response = await next(request);
      const byPath = typeof fieldsOf(request)['folderPath'] === 'string';
      if (!isSuccess(response) || !byPath || fieldsOf(response)['folderId'] === null)
        return response;
      const count = Number(memory.get('count') ?? 0) + 1;
      memory.set('count', count);
      return withJson(response, { ...fieldsOf(response), folderId: `folder_${count}` });
    }),
  ),
  defect(
    'unknown-folder-is-root',
    'automation-move.folder-id.unknown',
    'An unknown folderId puts the workflow at the root.',
    during(MOVE, async ({ request, next }) => {
      const response = await next(request);
      const isUnknown = response.status === 404 && 'folderId' in fieldsOf(request);
      return isUnknown ? next(withJson(request, { folderId: null })) : response;
    }),
  ),
  defect(
    'folder-id-unchecked-beside-path',
    'automation-move.folder-id.validated-beside-path',
    'Beside a folderPath, folderId is not validated.',
    asking(MOVE, (request) => {
      const { folderId, folderPath } = fieldsOf(request);
      return typeof folderId === 'string' && folderPath !== undefined
        ? withJson(request, { folderPath })
        : request;
    }),
  ),
  defect(
    'move-alias-unknown',
    'automation-move.alias',
    'A move does not know the alias of a workflow.',
    during(MOVE, ({ request, next }) => (isByAlias(request.url) ? refuse(404) : next(request))),
  ),
  defect(
    'move-alias-of-another',
    'automation-move.path-alias',
    'A move by alias returns another workflow.',
    editing(MOVE, (moved, { request }) => {
      if (isByAlias(request.url)) moved['id'] = 'wf_0';
    }),
  ),
  ...['agent_', 'agents.'].map((prefix) =>
    defect(
      prefix === 'agents.' ? 'agent-moved-by-alias' : 'agent-moved',
      prefix === 'agents.' ? 'automation-move.path-alias' : 'automation-move.agent-rejected',
      `A move of ${prefix}… gets 200.`,
      during(MOVE, async ({ request, next }) => {
        const response = await next(request);
        return segment(request.url, 'automations').startsWith(prefix) && response.status === 400
          ? respond(200, { id: 'agent_0', type: 'agent', slug: 'agent', name: 'An agent' })
          : response;
      }),
    ),
  ),
];

function isByAlias(url: string): boolean {
  return segment(url, 'automations').startsWith('workflows.');
}
