import type { Mutant } from './mutant.ts';

const MOVE = 'server-reference/dist/platform/routes/automations.js';
const FOLDER_PATH = 'server-reference/dist/platform/automations/folders.js';
const SPLIT = "const names = path.split('/')";
const FILE_IT =
  'automation.folderId = createFolders(state, key.tenantId, target.folderId, target.missing);';

/** The move of an automation. */
export const moveMutants: readonly Mutant[] = [
  {
    id: 'moved-without-created-at',
    defect: 'The response to a move has no createdAt.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: 'return { ...fields, folderPath:',
    replace: 'return { ...fields, createdAt: undefined, folderPath:',
    fails: ['api.automation-move.automation-schema'],
  },
  {
    id: 'workflow-id-without-prefix',
    defect: 'The response to a move contains the workflow id without wf_.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: 'return { ...fields, folderPath:',
    replace: "return { ...fields, id: fields.id.replace('wf_', ''), folderPath:",
    fails: ['api.automation-move.automation-schema', 'api.automation-move.id-prefix'],
  },
  {
    id: 'folder-id-ignored',
    defect: 'A folderId moves nothing.',
    file: MOVE,
    find: FILE_IT,
    replace: `if (typeof body.folderId !== 'string' || body.folderPath !== undefined) ${FILE_IT}`,
    // The check discovers the path of the folder by moving there.
    fails: ['api.automation-move.folder-id', 'api.automation-move.folder-path'],
  },
  {
    id: 'null-folder-id-ignored',
    defect: 'A null folderId moves nothing.',
    file: MOVE,
    find: FILE_IT,
    replace: `if (body.folderId !== null) ${FILE_IT}`,
    fails: ['api.automation-move.folder-id-null'],
  },
  {
    id: 'folder-made-again',
    defect: 'A folderPath makes new folders even where there are some.',
    file: FOLDER_PATH,
    find: 'folder.parentId === parentId && folder.name === name)',
    replace: "folder.parentId === parentId && folder.name === '')",
    fails: [
      'api.automation-move.folder-path',
      'api.automation-move.folder-path-creates',
      'api.automation-move.folder-path-wins',
    ],
  },
  {
    id: 'missing-folders-not-created',
    defect: 'A folderPath whose folders are missing is refused.',
    file: MOVE,
    find: 'refuseTakenName(state, automation, target);',
    replace:
      "if (target.missing.length > 0) throw notFound('folderPath', 'no such folder');\n            refuseTakenName(state, automation, target);",
    fails: ['api.automation-move.folder-path-creates'],
  },
  {
    id: 'empty-path-refused',
    defect: 'An empty folderPath is refused.',
    file: FOLDER_PATH,
    find: SPLIT,
    replace: `if (path === '') throw refusedPath('it is empty');\n    ${SPLIT}`,
    fails: ['api.automation-move.folder-path-empty'],
  },
  {
    id: 'slash-path-refused',
    defect: 'A folderPath of a single slash is refused.',
    file: FOLDER_PATH,
    find: SPLIT,
    replace: `if (path === '/') throw refusedPath('it is a slash');\n    ${SPLIT}`,
    fails: ['api.automation-move.folder-path-slash'],
  },
  {
    id: 'folder-id-wins',
    defect: 'folderId wins over folderPath.',
    file: MOVE,
    find: 'if (folderPath !== undefined) {',
    replace: "if (folderPath !== undefined && typeof folderId !== 'string') {",
    fails: ['api.automation-move.folder-path-wins'],
  },
  {
    id: 'folder-id-unchecked-beside-path',
    defect: 'A folderId beside a folderPath is not validated.',
    file: MOVE,
    find: "    if (typeof folderId === 'string')\n        refuseMalformedId(folderId);",
    replace:
      "    if (typeof folderId === 'string' && folderPath === undefined)\n        refuseMalformedId(folderId);",
    fails: ['api.automation-move.folder-id-invalid-beside-path'],
  },
  {
    id: 'unknown-folder-accepted',
    defect: 'An unknown folderId is accepted.',
    file: MOVE,
    find: "    if (folder?.tenantId !== tenantId)\n        throw notFound('folderId', 'no folder has this id');\n    return { field: 'folderId', folderId: folder.id, missing: [] };",
    replace: "    return { field: 'folderId', folderId, missing: [] };",
    fails: ['api.automation-move.folder-id-unknown'],
  },
  {
    id: 'unknown-automation-400',
    defect: 'An unknown automation gets 400.',
    file: 'server-reference/dist/platform/resources/find.js',
    find: "throw notFound(field, 'no automation has this id or alias', hint);",
    replace: "throw Object.assign(notFound(field, 'unknown'), { status: 400 });",
    // The foreign automation hides the foreign review request. An unknown id still gets 404.
    fails: ['api.automation-move.unknown-automation', 'api.tenant.foreign-review-refused'],
  },
  {
    id: 'agent-movable',
    defect: 'An agent can be moved.',
    file: MOVE,
    find: "if (automation.type !== 'agent')",
    replace: 'if (automation.type !== undefined)',
    fails: ['api.automation-move.agent-rejected', 'api.automation-move.agent-alias-rejected'],
  },
  {
    id: 'agent-movable-by-alias',
    defect: 'An agent can be moved when its alias is used.',
    file: MOVE,
    find: 'refuseAgent(automation);\n',
    replace: "if (!path['id'].startsWith('agents.')) refuseAgent(automation);\n",
    fails: ['api.automation-move.agent-alias-rejected'],
  },
  {
    id: 'aliases-unknown',
    defect: 'Aliases of automations are not understood.',
    file: 'server-reference/dist/platform/resources/find.js',
    find: '/^(workflow|agent)s\\.(.+)$/s',
    replace: '/^(workflow|agent)s:(.+)$/s',
    fails: [
      'api.automation-move.alias',
      'api.review-update.alias',
      'api.export.alias',
      'api.expected-rename.alias',
      'api.input-delete.alias',
    ],
  },
];
