import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { NotApplicable } from '../../../verdict/findings.ts';
import { isGranted } from '../operations/requests.ts';
import type { FixtureName } from '../../../options/facts.ts';
import { show, violation } from '../../../check-kit/expect.ts';
import { exampleNames, filesOf, archivePathOf } from '../operations/dataset-files.ts';
import { compareExports } from '../operations/compare-exports.ts';
import { expectArchive, expectFiles, readExport, sampleExport } from '../operations/export.ts';
import type { Export } from '../operations/export.ts';

const NEEDS = ['key.main', 'fixture.datasetAutomationId'] as const;

const datasetExport = area('api.export', { access: 'read', needs: NEEDS });

const BOTH_NAMES = ['exampleName', 'otherExampleName'] as const;

/** The archive of a dataset, from the API or from storage. */
export const datasetExportChecks: readonly Check[] = [
  datasetExport.check({
    name: 'zip',
    requirements: ['export.zip'],
    title: 'an export is a ZIP archive with 200, or a redirect to one that needs no key',
    async run(context) {
      const automation = context.fixture('datasetAutomationId');
      const exported = await sampleExport(context.api, { automation });
      await expectArchive(context.api, exported);
    },
  }),
  datasetExport.check({
    name: 'folders',
    requirements: ['export.folders'],
    needs: [...NEEDS, 'fixture.exampleName', 'fixture.inputFilePath', 'fixture.expectedFilePath'],
    title: 'the files of an example are in examples/<name>/input and examples/<name>/expected',
    async run(context) {
      const { files, response } = await wholeDataset(context);
      const name = context.fixture('exampleName');
      const archivePaths = [
        archivePathOf(name, 'input', context.fixture('inputFilePath')),
        archivePathOf(name, 'expected', context.fixture('expectedFilePath')),
      ];
      const missing = archivePaths.find((archivePath) => !files.has(archivePath));
      if (missing !== undefined) {
        throw violation(`an entry ${missing}`, show([...files.keys()]), response);
      }
    },
  }),
  datasetExport.check({
    name: 'whole-dataset',
    requirements: ['export.whole-dataset'],
    needs: [...NEEDS, 'fixture.exampleName', 'fixture.otherExampleName'],
    title: 'an export without example ids contains every known example',
    async run(context) {
      const { files, response } = await wholeDataset(context);
      const names = exampleNames(files);
      for (const name of BOTH_NAMES.map((fixture) => context.fixture(fixture))) {
        if (!names.has(name)) throw violation(`the example ${name}`, show([...names]), response);
      }
    },
  }),
  datasetExport.check({
    name: 'chosen-example',
    requirements: ['export.chosen-examples'],
    needs: [...NEEDS, 'fixture.exportParameter', 'fixture.exampleId', 'fixture.exampleName'],
    title: 'an export of one example contains this example, complete, and no other',
    run: (context) => expectChosen(context, ['exampleId'], ['exampleName']),
  }),
  datasetExport.check({
    name: 'chosen-examples',
    requirements: ['export.chosen-examples'],
    needs: [
      ...NEEDS,
      'fixture.exportParameter',
      'fixture.exampleId',
      'fixture.otherExampleId',
      'fixture.exampleName',
      'fixture.otherExampleName',
    ],
    title: 'an export of two comma-separated example ids contains both examples',
    run: (context) => expectChosen(context, ['exampleId', 'otherExampleId'], BOTH_NAMES),
  }),
  datasetExport.check({
    name: 'alias',
    requirements: ['export.alias'],
    needs: [...NEEDS, 'fixture.datasetAutomationSlug'],
    title: 'workflows.<slug> exports the same dataset as the id',
    async run(context) {
      const automation = `workflows.${context.fixture('datasetAutomationSlug')}`;
      await expectArchive(context.api, await sampleExport(context.api, { automation }));
      await compareExports(context, async (read) => {
        const byId = await read({ automation: context.fixture('datasetAutomationId') });
        const byAlias = await read({ automation });
        expectFiles(byAlias.files, byId.files, byAlias.response);
      });
    },
  }),
];

/** The same, of an agent: its dataset may be empty or absent, but it is the same by id and by alias. */
export const agentAliasChecks: readonly Check[] = [
  datasetExport.check({
    name: 'agent-alias',
    requirements: ['export.alias'],
    needs: ['key.main', 'app', 'fixture.agentId', 'fixture.agentSlug'],
    title: 'agents.<slug> gets the same response to an export as the id of the agent',
    async run(context) {
      const alias = `agents.${context.fixture('agentSlug')}`;
      const id = context.fixture('agentId');
      const byId = await sampleExport(context.api, { automation: id });
      const byAlias = await sampleExport(context.api, { automation: alias });
      if (byId.status === 404) throw new NotApplicable(`the agent ${id} has no dataset`);
      if (isGranted(byId) !== isGranted(byAlias) || byId.status !== byAlias.status) {
        throw violation(`status ${byId.status}, as by id`, `status ${byAlias.status}`, byAlias);
      }
      if (!isGranted(byId)) return;
      await compareExports(context, async (read) => {
        const expected = await read({ automation: id });
        const actual = await read({ automation: alias });
        expectFiles(actual.files, expected.files, actual.response);
      });
    },
  }),
];

async function wholeDataset(context: CheckContext): Promise<Export> {
  const automation = context.fixture('datasetAutomationId');
  return readExport(context.api, await sampleExport(context.api, { automation }));
}

/** The chosen examples have the same files as in the export of the whole dataset. */
async function expectChosen(
  context: CheckContext,
  ids: readonly FixtureName[],
  names: readonly FixtureName[],
): Promise<void> {
  const automation = context.fixture('datasetAutomationId');
  const list = ids.map((id) => context.fixture(id)).join(',');
  const query = { [context.fixture('exportParameter')]: list };
  const chosen = names.map((name) => context.fixture(name));
  await expectArchive(context.api, await sampleExport(context.api, { automation, query }));
  await compareExports(context, async (read) => {
    const whole = await read({ automation });
    const { files, response } = await read({ automation, query });
    const found = exampleNames(files);
    if (found.size !== chosen.length || chosen.some((name) => !found.has(name))) {
      throw violation(`the examples ${show(chosen)}`, show([...found]), response);
    }
    expectFiles(files, filesOf(whole.files, chosen), response);
  });
}
