import { posix } from 'node:path';

import type { ApiResponse } from '../../../api-client.ts';
import type { Check, CheckContext } from '../../../check.ts';
import { NotApplicable } from '../../../findings.ts';
import {
  expectAllowed,
  expectControlPasses,
  expectRefusal,
  isRecord,
  show,
  violation,
} from '../../expect.ts';
import { expectSchema } from '../../schema.ts';
import { fileNamesIn, listExpectedFiles } from '../run-review/expected-files.ts';
import { openStage } from '../stage.ts';
import type { Stage } from '../stage.ts';

/** Copies of a run output among the expected files. None can be taken back: each needs a world to spare. */
export const feedbackCopyChecks: readonly Check[] = [
  {
    ...base('app-address'),
    title: 'a copy is made under /api/v1 on the app address, too',
    needs: [...base('app-address').needs, 'app'],
    async run(context) {
      const stage = await openStage(context);
      const json = { outputFileName: stage.fixture('outputFileName') };
      expectAllowed(await copy(stage, json, '/api/v1'));
    },
  },
  {
    ...base('copies'),
    title: 'an output file of a run is copied to the expected files',
    async run(context) {
      const { stage, name, answer } = await copyAs(context);
      expectAllowed(answer);
      const listed = await list(stage);
      // Which operation shows the set of expected artifacts is left open.
      if (fileNamesIn(listed, stage.fixture('runId')).some(endsWith(name))) return;
      throw new NotApplicable(
        'the copy was accepted, and no operation of the contract has to show it',
      );
    },
  },
  {
    ...base('output-file-name-missing', 'output-file-name.required'),
    title: 'a body without the string outputFileName is refused with a 4xx, and nothing is copied',
    run: (context) => expectRefused(context, [{ expectedName: 'copy.bin' }, { outputFileName: 7 }]),
  },
  {
    ...base('output-file-name-unknown', 'output-file-name.exists'),
    title: 'the name of no output file is refused with a 4xx, and nothing is copied',
    run: (context) => expectRefused(context, [{ outputFileName: 'no-such-output-of-the-run.bin' }]),
  },
  {
    ...base('expected-name', 'expected-name.optional'),
    title: 'expectedName names the copy',
    async run(context) {
      const { name, answer } = await copyAs(context);
      expectAllowed(answer);
      expectName(answer, name);
    },
  },
  {
    ...base('expected-name-default', 'expected-name.default'),
    title: 'without expectedName the copy has the name of the output file',
    async run(context) {
      const stage = await openStage(context);
      const outputFileName = stage.fixture('outputFileName');
      const answer = await copy(stage, { outputFileName });
      expectAllowed(answer);
      expectName(answer, outputFileName);
    },
  },
  {
    ...base('schema', 'response'),
    title: 'a copy answers with the string name',
    async run(context) {
      const { answer } = await copyAs(context);
      expectAllowed(answer);
      expectSchema('FeedbackExpectedCopied', answer.json, answer);
    },
  },
];

/** Copies the output file of the fixtures under a name that the suite chose. */
async function copyAs(context: CheckContext): Promise<{
  readonly stage: Stage;
  readonly name: string;
  readonly answer: ApiResponse;
}> {
  const stage = await openStage(context);
  const outputFileName = stage.fixture('outputFileName');
  const name = `copied-by-the-suite${posix.extname(outputFileName)}`;
  return { stage, name, answer: await copy(stage, { outputFileName, expectedName: name }) };
}

/** Probes beside a copy that succeeds; between them the expected files of the run stay the same. */
async function expectRefused(context: CheckContext, probes: readonly object[]): Promise<void> {
  const stage = await openStage(context);
  expectControlPasses(await copy(stage, { outputFileName: stage.fixture('outputFileName') }));
  const run = stage.fixture('runId');
  const before = fileNamesIn(await list(stage), run);
  for (const probe of probes) {
    const answer = await copy(stage, probe);
    expectRefusal(answer);
    const after = fileNamesIn(await list(stage), run);
    if (after.join() !== before.join()) {
      throw violation(`the files ${show(before)}`, show(after), answer);
    }
  }
}

function copy(stage: Stage, json: object, address = '/v1'): Promise<ApiResponse> {
  const run = encodeURIComponent(stage.fixture('runId'));
  const path = `${address}/runs/${run}/feedback/expected`;
  return stage.api.send({ method: 'POST', path, key: stage.key, json });
}

function list(stage: Stage): Promise<ApiResponse> {
  return listExpectedFiles(stage.api, stage.fixture('runId'), stage.key);
}

/** The answer gives a file name, or the path of an artifact that ends with it. */
function expectName(answer: ApiResponse, name: string): void {
  const given = isRecord(answer.json) ? answer.json['name'] : undefined;
  if (typeof given !== 'string' || !endsWith(name)(given)) {
    throw violation(`a name ${name}, or a path that ends with it`, show(given), answer);
  }
}

function endsWith(name: string): (text: string) => boolean {
  return (text) => text === name || text.endsWith(`/${name}`);
}

function base(name: string, requirement = name): Omit<Check, 'title' | 'run'> {
  return {
    id: `api.feedback-copy.${name}`,
    requirements: [`feedback-copy.${requirement}`],
    side: 'api',
    effect: 'write',
    needs: ['control', 'fixture.runId', 'fixture.outputFileName'],
  };
}
