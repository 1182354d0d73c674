import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { NotApplicable } from '../../../verdict/findings.ts';
import {
  expectAllowed,
  assumeSuccess,
  expectEqual,
  expectRefusal,
  show,
  violation,
} from '../../../check-kit/expect.ts';
import { judgeEach } from '../../../check-kit/values.ts';
import { pathOf } from '../../../http/contract.ts';
import { isRecord } from '../../../http/message.ts';
import {
  COPY_NEEDS,
  copyNameFor,
  FEEDBACK_ADDRESSES,
  feedbackAddress,
  filledRun,
} from '../operations/feedback.ts';
import type { FeedbackAddress } from '../operations/feedback.ts';
import { fileNamesIn, listExpectedFiles } from '../operations/expected-files.ts';
import { fieldSchema, invalidValues } from '../operations/invalid-values.ts';
import { openSandbox } from '../operations/sandbox.ts';

const feedbackCopy = area('api.feedback-copy', {
  access: 'write',
  exclusive: 'without-worlds',
  needs: COPY_NEEDS,
});

/** Copies of a run output to the expected files. */
export const feedbackCopyChecks: readonly Check[] = [
  feedbackCopy.check({
    name: 'app-address',
    requirements: ['feedback-copy.app-address'],
    title: 'copies through /v1, and through /api/v1 of the app URL',
    needs: [...COPY_NEEDS, 'app'],
    async run(context) {
      const sandbox = await openSandbox(context);
      const outputFileName = sandbox.fixture('outputFileName');
      for (const address of FEEDBACK_ADDRESSES) {
        const json = { outputFileName, expectedName: copyNameFor(outputFileName) };
        expectAllowed(await copy(sandbox, json, address));
      }
    },
  }),
  feedbackCopy.check({
    name: 'copies',
    requirements: ['feedback-copy.copies'],
    title: 'copies an output file of a run to the expected files',
    async run(context) {
      const { sandbox, name, response } = await copyAs(context);
      expectAllowed(response);
      const listed = await list(sandbox);
      // The contract leaves open which operation lists the expected files.
      if (fileNamesIn(listed, filledRun(sandbox)).some(endsWith(name))) return;
      throw new NotApplicable('the API accepted the copy, and no operation has to list it');
    },
  }),
  feedbackCopy.check({
    name: 'output-file-name-missing',
    requirements: ['feedback-copy.output-file-name.required'],
    title: 'refuses a body without the string outputFileName with a 4xx and copies nothing',
    run: (context) =>
      expectRefused(context, [
        { expectedName: 'copy.bin' },
        ...wrongValues('outputFileName').map((outputFileName) => ({
          outputFileName,
          expectedName: 'copy.bin',
        })),
      ]),
  }),
  feedbackCopy.check({
    name: 'output-file-name-unknown',
    requirements: ['feedback-copy.output-file-name.exists'],
    title: 'refuses an unknown outputFileName with a 4xx and copies nothing',
    run: (context) =>
      expectRefused(context, [
        { outputFileName: 'no-such-output-of-the-run.bin' },
        { outputFileName: '', expectedName: 'copy.bin' },
      ]),
  }),
  feedbackCopy.check({
    name: 'expected-name',
    requirements: ['feedback-copy.expected-name.optional'],
    title: 'expectedName names the copy',
    async run(context) {
      const { name, response } = await copyAs(context);
      expectAllowed(response);
      expectName(response, name);
    },
  }),
  feedbackCopy.check({
    name: 'expected-name-type',
    requirements: ['feedback-copy.expected-name.type'],
    title: 'refuses an expectedName that is not a string with a 4xx and copies nothing',
    run: (context) =>
      expectRefused(context, (outputFileName) =>
        wrongValues('expectedName').map((expectedName) => ({ outputFileName, expectedName })),
      ),
  }),
  feedbackCopy.check({
    name: 'expected-name-default',
    requirements: ['feedback-copy.expected-name.default'],
    title: 'without expectedName, the copy has the name of the output file',
    async run(context) {
      const sandbox = await openSandbox(context);
      const outputFileName = sandbox.fixture('outputFileName');
      const response = await copy(sandbox, { outputFileName });
      if (!sandbox.disposable && response.status === 409) {
        throw new NotApplicable('the copy of an earlier run may have the name of the output file');
      }
      expectAllowed(response);
      expectName(response, outputFileName);
    },
  }),
];

/** Copies the output file of the fixtures under a new name. */
async function copyAs(context: CheckContext): Promise<{
  readonly sandbox: CheckContext;
  readonly name: string;
  readonly response: ApiResponse;
}> {
  const sandbox = await openSandbox(context);
  const outputFileName = sandbox.fixture('outputFileName');
  const name = copyNameFor(outputFileName);
  return { sandbox, name, response: await copy(sandbox, { outputFileName, expectedName: name }) };
}

/** Refused copies after a valid one. The expected files of the run do not change. */
async function expectRefused(
  context: CheckContext,
  bodies: readonly object[] | ((outputFileName: string) => readonly object[]),
): Promise<void> {
  const sandbox = await openSandbox(context);
  const outputFileName = sandbox.fixture('outputFileName');
  const expectedName = copyNameFor(outputFileName);
  assumeSuccess(await copy(sandbox, { outputFileName, expectedName }));
  const probes = typeof bodies === 'function' ? bodies(outputFileName) : bodies;
  const run = filledRun(sandbox);
  const listed = async () => fileNamesIn(await list(sandbox), run).toSorted();
  let known = await listed();
  await judgeEach(probes, show, async (probe) => {
    const before = known;
    const response = await copy(sandbox, probe);
    known = await listed();
    expectRefusal(response);
    expectEqual('the files', known, before, response);
  });
}

/** Values of a wrong type. */
function wrongValues(field: 'outputFileName' | 'expectedName'): readonly unknown[] {
  return invalidValues(fieldSchema('FeedbackExpectedCopy', field)).map(({ value }) => value);
}

async function copy(
  sandbox: CheckContext,
  json: object,
  address?: FeedbackAddress,
): Promise<ApiResponse> {
  const id = filledRun(sandbox);
  const path = pathOf(address ?? (await feedbackAddress(sandbox)), { id });
  return sandbox.api.send({ method: 'POST', path, json });
}

function list(sandbox: CheckContext): Promise<ApiResponse> {
  return listExpectedFiles(sandbox.api, filledRun(sandbox));
}

/** The response names the file, or a path that ends with it. */
function expectName(response: ApiResponse, name: string): void {
  const given = isRecord(response.json) ? response.json['name'] : undefined;
  if (typeof given !== 'string' || !endsWith(name)(given)) {
    throw violation(`a name ${name} or a path that ends with it`, show(given), response);
  }
}

function endsWith(name: string): (text: string) => boolean {
  return (text) => text === name || text.endsWith(`/${name}`);
}
