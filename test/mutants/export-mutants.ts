import type { Mutant } from './mutant.ts';

const EXPORT = 'server-reference/dist/platform/routes/datasets.js';
const ENTRIES = 'server-reference/dist/platform/datasets/archive.js';
const EXAMPLES = 'server-reference/dist/platform/resources/find.js';
const DOWNLOAD = 'server-reference/dist/platform/datasets/archive.js';
const STREAM = 'zipArchive(entries, ({ sha256 }) => blobs.open(sha256))';

/** The export of a dataset. */
export const exportMutants: readonly Mutant[] = [
  {
    id: 'export-of-blanks',
    defect: 'An export is as long as the archive and blank.',
    file: DOWNLOAD,
    find: STREAM,
    replace: `${STREAM}.map((chunk) => Buffer.alloc(chunk.length, ' '))`,
    fails: ['api.export.zip'],
  },
  {
    id: 'export-206',
    defect: 'An export gets 206.',
    file: DOWNLOAD,
    find: 'return new Download({',
    replace: 'return new Download({\n        status: 206,',
    fails: ['api.export.zip'],
  },
  {
    id: 'export-with-wrong-checksums',
    defect: 'The bytes in the archive are not those that its checksums are of.',
    file: DOWNLOAD,
    find: STREAM,
    replace: `${STREAM}.map((chunk) => Buffer.from(chunk.toString('latin1').replaceAll('PNG', 'PMG'), 'latin1'))`,
    fails: ['api.export.zip'],
  },
  {
    id: 'input-in-a-folder-inputs',
    defect: 'In the archive the input files lie under inputs.',
    file: ENTRIES,
    find: 'folder: `examples/${name}/input`',
    replace: 'folder: `examples/${name}/inputs`',
    fails: ['api.export.folders'],
  },
  {
    id: 'expected-in-a-folder-output',
    defect: 'In the archive the expected files lie under output.',
    file: ENTRIES,
    find: 'folder: `examples/${name}/expected`',
    replace: 'folder: `examples/${name}/output`',
    fails: ['api.export.folders'],
  },
  {
    id: 'export-without-first-example',
    defect: 'An export of the whole dataset lacks its first example.',
    file: EXAMPLES,
    find: 'return dataset;',
    replace: 'return dataset.slice(1);',
    fails: ['api.export.whole-dataset', 'api.export.chosen-examples'],
  },
  {
    id: 'export-choice-ignored',
    defect: 'An export of chosen examples holds the whole dataset.',
    file: EXAMPLES,
    find: 'if (list === undefined)',
    replace: 'if (list !== null)',
    fails: ['api.export.chosen-example', 'api.export.chosen-examples'],
  },
  {
    id: 'export-of-first-choice-alone',
    defect: 'An export of several examples holds the first alone.',
    file: EXAMPLES,
    find: "const chosen = list.split(',');",
    replace: "const chosen = list.split(',').slice(0, 1);",
    fails: ['api.export.chosen-examples'],
  },
  {
    id: 'export-alias-unknown',
    defect: 'An export does not accept aliases.',
    file: EXPORT,
    find: "findAutomation(store.state, key.tenantId, path['id'] ?? '')",
    replace: "findAutomation(store.state, key.tenantId, path['id'].replace('.', ':'))",
    fails: ['api.export.alias'],
  },
];
