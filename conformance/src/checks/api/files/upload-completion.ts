import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import {
  assumeSuccess,
  expectAllowed,
  expectEqual,
  expectRefusal,
  expectSuccess,
} from '../../../check-kit/expect.ts';
import { pathOf } from '../../../http/contract.ts';
import { isSuccess, membersOf } from '../../../http/message.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import { expectBytes } from './content.ts';
import { download, filePath, fixtureOrNull } from '../operations/files.ts';
import { openSandbox } from '../operations/sandbox.ts';

const FRAME = {
  access: 'write',
  exclusive: 'without-worlds',
  needs: ['key.main', 'fixture.uploadId'],
} as const;

const uploadComplete = area('api.upload-complete', FRAME);

/** A pending upload becomes one file, and only with its declared bytes. */
export const uploadCompletionChecks: readonly Check[] = [
  uploadComplete.check({
    name: 'promotes',
    requirements: ['upload-complete.promotes', 'upload-complete.no-request-body'],
    title: 'the file of an upload that a request without a body completed has the uploaded bytes',
    async run(context) {
      const sandbox = await openSandbox(context);
      const completed = await complete(sandbox, sandbox.fixture('uploadId'));
      expectAllowed(completed);
      const id = completedFile(completed);
      const response = await sandbox.effects.shown(
        () => sandbox.api.send({ path: filePath(id) }),
        expectSuccess,
      );
      expectEqual('id', membersOf(response.json)['id'], id, response);
      const [then, now] = [completed, response].map(({ json }) => membersOf(json));
      for (const name of ['filename', 'contentType', 'size', 'createdAt', 'purpose']) {
        const said = then?.[name] ?? null;
        if (said !== null)
          expectEqual(`${name} as at the completion,`, now?.[name], said, response);
      }
      const content = await sandbox.effects.shown(() => download(sandbox.api, id), expectSuccess);
      const size = fixtureOrNull(sandbox, 'uploadSize');
      expectBytes(content, {
        size: size === null ? membersOf(response.json)['size'] : Number(size),
        sha256: fixtureOrNull(sandbox, 'uploadSha256'),
      });
    },
  }),
  refuses('upload-complete.verifies', 'empty', 'emptyUploadId', 'without bytes'),
  refuses(
    'upload-complete.verifies-declared',
    'mismatched',
    'mismatchedUploadId',
    'with other bytes than declared',
  ),
  uploadComplete.check({
    name: 'retry-safe',
    requirements: ['upload-complete.retry-safe'],
    title: 'a repeated completion returns the same file',
    async run(context) {
      const sandbox = await openSandbox(context);
      const id = sandbox.fixture('uploadId');
      const file = completedFile(await complete(sandbox, id));
      const again = await complete(sandbox, id);
      expectSuccess(again);
      expectEqual('id', membersOf(again.json)['id'], file, again);
      await sandbox.effects.shown(() => sandbox.api.send({ path: filePath(file) }), expectSuccess);
    },
  }),
  uploadComplete.check({
    name: 'simultaneous',
    requirements: ['upload-complete.retry-safe'],
    title: 'simultaneous completions of one upload create one file',
    async run(context) {
      const sandbox = await openSandbox(context);
      const id = sandbox.fixture('uploadId');
      const responses = await Promise.all([1, 2, 3].map(() => complete(sandbox, id)));
      const file = completedFile(await complete(sandbox, id));
      // The contract leaves the other responses open, but every success names the one file.
      for (const response of responses.filter(isSuccess)) {
        expectEqual('id', membersOf(response.json)['id'], file, response);
      }
    },
  }),
];

function refuses(
  requirement: string,
  name: string,
  fixture: 'emptyUploadId' | 'mismatchedUploadId',
  what: string,
): Check {
  return uploadComplete.check({
    name: `refuses-${name}`,
    requirements: [requirement],
    title: `refuses every completion of an upload ${what} with a 4xx`,
    needs: ['key.main', 'fixture.uploadId', `fixture.${fixture}`],
    async run(context) {
      const sandbox = await openSandbox(context);
      assumeSuccess(await complete(sandbox, sandbox.fixture('uploadId')));
      expectRefusal(await complete(sandbox, sandbox.fixture(fixture)));
      expectRefusal(await complete(sandbox, sandbox.fixture(fixture)));
    },
  });
}

/** Completes an upload with a request without a body. */
function complete(sandbox: CheckContext, id: string): Promise<ApiResponse> {
  const path = pathOf('completeFileUpload', { uploadId: id });
  return sandbox.api.send({ method: 'POST', path });
}

/** The id of the file of a completed upload. Inconclusive without one: the check of the shape reports it. */
function completedFile(response: ApiResponse): string {
  assumeSuccess(response);
  const { id } = membersOf(response.json);
  if (typeof id === 'string') return id;
  throw new Inconclusive('Cannot judge: the completion of the upload names no file.', {
    reportedBy: 'api.response.upload-complete',
  });
}
