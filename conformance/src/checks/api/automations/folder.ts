import type { Check, CheckContext } from '../../../check-kit/check.ts';
import {
  assumeSuccess,
  expectAllowed,
  expectEqual,
  isRefused,
  show,
  violation,
} from '../../../check-kit/expect.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { isRecord } from '../../../http/message.ts';
import { NotApplicable } from '../../../verdict/findings.ts';
import { CONFLICT_NEEDS, ownerFolder } from '../operations/name-conflict.ts';
import { openSandbox } from '../operations/sandbox.ts';
import {
  automationMove,
  automationIn,
  move,
  moveBackLater,
  moveFirst,
  MOVE_NEEDS,
  WORLD_MOVE_NEEDS,
} from '../operations/automations.ts';

const PATH = 'Conformance/Made';
/** Refusals of a path for what it is. */
const TOO_DEEP = new Set([400, 413, 422]);

/** Fields that no move concerns. `status`, `version` and `updatedAt` may change with any update. */
const OTHERS = [
  'id',
  'type',
  'slug',
  'name',
  'createdAt',
  'description',
  'triggers',
  'implementationAvailable',
  'inputSchema',
  'outputSchema',
];

type Fields = Readonly<Record<string, unknown>>;

/** Successful moves, each to another folder. */
export const folderMoveChecks: readonly Check[] = [
  automationMove.check({
    name: 'id-prefix',
    requirements: ['automation-move.automation.type-and-id'],
    title: 'the id of a workflow starts with wf_, and its type is workflow',
    run: (context) =>
      inSandbox(context, async (sandbox, workflow) => {
        const response = await move(sandbox, workflow, { folderId: null });
        assumeSuccess(response);
        const { id, type } = automationIn(response);
        expectEqual('an id that begins', String(id).slice(0, 3), 'wf_', response);
        expectEqual('type', type, 'workflow', response);
      }),
  }),
  automationMove.check({
    name: 'asked-for',
    requirements: ['automation-move.response'],
    title: 'a move returns the automation of its path, also when another was moved before',
    needs: [...WORLD_MOVE_NEEDS, 'fixture.datasetAutomationId'],
    run: (context) =>
      inSandbox(context, async (sandbox, workflow) => {
        for (const id of [sandbox.fixture('datasetAutomationId'), workflow]) {
          await expectMove(sandbox, id, { folderPath: PATH }, { id });
          await expectMove(sandbox, id, { folderPath: '/' }, { id });
        }
      }),
  }),
  automationMove.check({
    name: 'others-kept',
    requirements: ['automation-move.only-folder'],
    title: 'a move leaves the name, the slug and the other fields of the workflow as they were',
    run: (context) =>
      inSandbox(context, async (sandbox, workflow) => {
        const before = await moveFirst(sandbox, workflow, { folderPath: '/' });
        for (const json of [{ folderId: sandbox.fixture('folderId') }, { folderPath: '/' }]) {
          const moved = await move(sandbox, workflow, json);
          expectAllowed(moved);
          for (const name of OTHERS) {
            const [expected, actual] = [before, automationIn(moved)].map((one) =>
              documentedPart(one, name),
            );
            expectEqual(name, actual, expected, moved);
          }
        }
      }),
  }),
  automationMove.check({
    name: 'folder-id',
    requirements: ['automation-move.folder-id.moves', 'automation-move.automation.folder-id'],
    title: 'folderId moves the workflow to that folder',
    run: (context) =>
      inSandbox(context, async (sandbox, workflow) => {
        const folderId = sandbox.fixture('folderId');
        await keepFolder(sandbox);
        await moveFirst(sandbox, workflow, { folderPath: '/' });
        await expectMove(sandbox, workflow, { folderId }, { folderId });
      }),
  }),
  automationMove.check({
    name: 'folder-id-null',
    requirements: [
      'automation-move.folder-id.null',
      'automation-move.automation.folder-id',
      'automation-move.automation.folder-path',
    ],
    title: 'folderId null moves the workflow to the root, where folderId and folderPath are null',
    run: (context) => toRoot(context, { folderId: null }),
  }),
  automationMove.check({
    name: 'folder-path',
    requirements: [
      'automation-move.folder-path.moves',
      'automation-move.automation.folder-path',
      'automation-move.response',
    ],
    title: 'folderPath moves the workflow to the folder at that path',
    run: (context) =>
      inSandbox(context, async (sandbox, workflow) => {
        await keepFolder(sandbox);
        const { folderId, folderPath } = await moveFirst(sandbox, workflow, {
          folderId: sandbox.fixture('folderId'),
        });
        await moveFirst(sandbox, workflow, { folderId: null });
        await expectMove(sandbox, workflow, { folderPath }, { folderId, folderPath });
      }),
  }),
  automationMove.check({
    name: 'folder-path-creates',
    requirements: ['automation-move.folder-path.creates'],
    title: 'folderPath creates missing folders, once for two workflows, and their ids are known',
    needs: [...WORLD_MOVE_NEEDS, 'fixture.datasetAutomationId'],
    run: (context) =>
      inSandbox(context, async (sandbox, workflow) => {
        const other = sandbox.fixture('datasetAutomationId');
        for (const folderPath of [PATH, `${PATH}/Here/Too`]) {
          const response = await move(sandbox, workflow, { folderPath });
          // How deep folders can be is left open. A 404 would say that none is created.
          if (folderPath !== PATH && TOO_DEEP.has(response.status)) continue;
          expectMoved(response, { folderPath });
          const { folderId } = automationIn(response);
          await expectMove(sandbox, other, { folderPath }, { folderId, folderPath });
          await moveFirst(sandbox, workflow, { folderPath: '/' });
          await expectMove(sandbox, workflow, { folderId }, { folderId, folderPath });
        }
      }),
  }),
  automationMove.check({
    name: 'folder-path-spelled',
    requirements: ['automation-move.folder-path.moves'],
    title:
      'a folderPath with blanks and other than ASCII characters is kept character for character',
    needs: WORLD_MOVE_NEEDS,
    run: (context) =>
      inSandbox(context, async (sandbox, workflow) => {
        await moveFirst(sandbox, workflow, { folderPath: '/' });
        const folderPath = 'Conformance/Größe 日本';
        const response = await move(sandbox, workflow, { folderPath });
        if (isRefused(response)) {
          throw new NotApplicable(`the API refuses this path with ${response.status}`);
        }
        expectAllowed(response);
        expectEqual(
          'folderPath',
          comparable(automationIn(response)['folderPath']),
          folderPath,
          response,
        );
      }),
  }),
  automationMove.check({
    name: 'others-stay',
    requirements: ['automation-move.only-folder'],
    title: 'a workflow stays in its folder when another one is moved there and away',
    needs: [...WORLD_MOVE_NEEDS, ...CONFLICT_NEEDS],
    run: (context) =>
      inSandbox(context, async (sandbox, workflow) => {
        const folder = ownerFolder(sandbox);
        const before = await folder.read();
        if (before === null) throw new NotApplicable('workflows of one name can be in one folder');
        const folderId = sandbox.fixture('conflictingFolderId');
        await moveFirst(sandbox, workflow, { folderId });
        const response = await move(sandbox, workflow, { folderPath: PATH });
        assumeSuccess(response);
        const after = await folder.read(before);
        if (after !== before) throw violation(`a workflow ${show(before)}`, show(after), response);
      }),
  }),
  automationMove.check({
    name: 'folder-path-empty',
    requirements: ['automation-move.folder-path.empty-is-root'],
    title: 'an empty folderPath moves the workflow to the root',
    run: (context) => toRoot(context, { folderPath: '' }),
  }),
  automationMove.check({
    name: 'folder-path-slash',
    requirements: ['automation-move.folder-path.slash-is-root'],
    title: 'folderPath / moves the workflow to the root',
    run: (context) => toRoot(context, { folderPath: '/' }),
  }),
  automationMove.check({
    name: 'folder-path-wins',
    requirements: ['automation-move.folder-path.wins'],
    title: 'folderPath takes precedence over folderId',
    run: (context) =>
      inSandbox(context, async (sandbox, workflow) => {
        await keepFolder(sandbox);
        const folderId = sandbox.fixture('folderId');
        for (const other of sandbox.disposable ? [folderId, null] : []) {
          await moveFirst(sandbox, workflow, { folderPath: '/' });
          const both = { folderId: other, folderPath: PATH };
          await expectMove(sandbox, workflow, both, { folderPath: PATH });
        }
        for (const folderPath of ['/', '']) {
          await moveFirst(sandbox, workflow, { folderId });
          const root = { folderId: null, folderPath: null };
          await expectMove(sandbox, workflow, { folderId, folderPath }, root);
        }
      }),
  }),
  automationMove.check({
    name: 'alias',
    requirements: ['automation-move.alias', 'automation-move.path-alias'],
    title: 'accepts workflows.<slug> in place of the id',
    needs: [...MOVE_NEEDS, 'fixture.workflowSlug'],
    run: (context) =>
      inSandbox(context, async (sandbox, workflow) => {
        const { id } = await moveFirst(sandbox, workflow, { folderPath: '/' });
        const alias = `workflows.${sandbox.fixture('workflowSlug')}`;
        await expectMove(sandbox, alias, { folderPath: '/' }, { id });
      }),
  }),
];

/** A field without additional members of the triggers, which may change by themselves. */
function documentedPart(automation: Fields, name: string): unknown {
  const value = automation[name];
  if (name !== 'triggers' || !isRecord(value)) return value;
  return ['api', 'email', 'manual', 'cron'].map((trigger) => value[trigger]);
}

async function inSandbox(
  context: CheckContext,
  run: (sandbox: CheckContext, workflow: string) => Promise<void>,
): Promise<void> {
  const sandbox = await openSandbox(context);
  const workflow = sandbox.fixture('workflowId');
  await moveBackLater(sandbox, workflow);
  await run(sandbox, workflow);
}

/** A folder may be deleted with its last workflow. Outside a world, that of the fixtures has others. */
async function keepFolder(sandbox: CheckContext): Promise<void> {
  if (!sandbox.disposable) return;
  const folderId = sandbox.fixture('folderId');
  await moveFirst(sandbox, sandbox.fixture('datasetAutomationId'), { folderId });
}

function toRoot(context: CheckContext, json: unknown): Promise<void> {
  return inSandbox(context, async (sandbox, workflow) => {
    await moveFirst(sandbox, workflow, { folderId: sandbox.fixture('folderId') });
    await expectMove(sandbox, workflow, json, { folderId: null, folderPath: null });
  });
}

async function expectMove(
  sandbox: CheckContext,
  automation: string,
  json: unknown,
  expected: Fields,
): Promise<void> {
  expectMoved(await move(sandbox, automation, json), expected);
}

function expectMoved(response: ApiResponse, expected: Fields): void {
  expectAllowed(response);
  const moved = automationIn(response);
  for (const [name, value] of Object.entries(expected)) {
    expectEqual(name, comparable(moved[name]), comparable(value), response);
  }
}

/** Absent counts as null, and a path may begin with a slash. */
function comparable(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^[/]/, '') : (value ?? null);
}
