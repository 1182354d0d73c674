import { expect, test } from 'vitest';

import {
  digestsOf,
  exampleNames,
  filesOf,
  archivePathOf,
  readDatasetFiles,
} from '../../../conformance/src/checks/api/operations/dataset-files.ts';

const ARCHIVE = new Map(
  Object.entries({
    'examples/one/input/scans/page.png': 'png',
    'examples/one/expected/rows.csv': 'a,b',
    'examples/two & half/expected/rows.csv': 'c',
    'examples/one/notes.txt': 'no folder of the convention',
    'manifest.json': '{}',
    'elsewhere/examples/one/input/page.png': 'too deep',
  }).map(([place, text]) => [place, Buffer.from(text)]),
);
const FILES = readDatasetFiles(ARCHIVE);

test('the files of a dataset are those in the folders of its examples', () => {
  expect([...FILES.keys()]).toEqual([
    'examples/one/input/scans/page.png',
    'examples/one/expected/rows.csv',
    'examples/two & half/expected/rows.csv',
  ]);
  expect(FILES.get(archivePathOf('one', 'input', 'scans/page.png'))).toEqual({
    example: 'one',
    folder: 'input',
    path: 'scans/page.png',
    content: Buffer.from('png'),
  });
});

test('files are grouped by the name of their example', () => {
  expect([...exampleNames(FILES)]).toEqual(['one', 'two & half']);
  expect([...filesOf(FILES, ['two & half']).keys()]).toEqual([
    'examples/two & half/expected/rows.csv',
  ]);
});

test('digests name the files that are missing, added or changed', () => {
  const changed = new Map(ARCHIVE);
  changed.delete('examples/one/input/scans/page.png');
  changed.set('examples/one/input/page.png', Buffer.from('png'));
  changed.set('examples/one/expected/rows.csv', Buffer.from('a,c'));
  const [before, after] = [digestsOf(FILES), digestsOf(readDatasetFiles(changed))];
  const names = Object.keys({ ...before, ...after });
  expect(names.filter((name) => before[name] !== after[name])).toEqual([
    'examples/one/expected/rows.csv',
    'examples/one/input/scans/page.png',
    'examples/one/input/page.png',
  ]);
  expect(digestsOf(readDatasetFiles(new Map([...ARCHIVE].toReversed())))).toEqual(before);
});
