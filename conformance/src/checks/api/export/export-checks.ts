import type { Check, CheckContext } from '../../../check.ts';
import { show, violation } from '../../expect.ts';
import { readExport } from './download.ts';
import { exampleNames, missingFrom, placeOf } from './dataset-files.ts';
import type { Export } from './download.ts';

/** The dataset as an archive, wherever it lies. */
export const exportChecks: readonly Check[] = [
  {
    ...base('zip'),
    title: 'an export leads to a ZIP archive, by 200 or by a redirect',
    run: ({ api, fixture }) => expectArchive(api, fixture('datasetAutomationId')),
  },
  {
    ...base('folders'),
    title: 'the files of an example lie under examples/<name>/input and examples/<name>/expected',
    needs: [
      ...NEEDS,
      'fixture.exampleName',
      'fixture.inputFilePath',
      'fixture.expectedFilePath',
    ],
    async run(context) {
      const { files, response } = await whole(context);
      const example = context.fixture('exampleName');
      const places = [
        placeOf(example, 'input', context.fixture('inputFilePath')),
        placeOf(example, 'expected', context.fixture('expectedFilePath')),
      ];
      for (const place of places) {
        if (!files.has(place)) throw violation(`the entry ${place}`, list(files.keys()), response);
      }
    },
  },
];
