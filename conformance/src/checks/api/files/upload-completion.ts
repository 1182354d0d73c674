import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import {
  expectAllowed,
  assumeSuccess,
  expectEqual,
  expectRefusal,
  expectStatus,
  expectSuccess,
  isSuccess,
} from '../../../check-kit/expect.ts';
import { expectSchema } from '../../../check-kit/schema.ts';
import { expectBytes } from './content.ts';
import { fixtureOrNull } from '../operations/known-files.ts';
import { download, filePath } from '../operations/files.ts';
import { openSandbox } from '../operations/sandbox.ts';
import { complete, completedFile } from '../operations/uploads.ts';

const FRAME = {
  access: 'write',
  exclusive: 'without-worlds',
  needs: ['key.main', 'fixture.uploadId'],
} as const;

const uploadComplete = area('api.upload-complete', FRAME);
const tenant = area('api.tenant', FRAME);

/** A pending upload becomes a file, once, and only when its bytes are there. */
export const uploadCompletionChecks: readonly Check[] = [
  uploadComplete.check({
    name: 'no-request-body',
    requirements: ['upload-complete.no-request-body'],
    title: 'an upload is completed by a request without a body',
    async run(context) {
      const sandbox = await openSandbox(context);
      expectAllowed(await complete(sandbox, sandbox.fixture('uploadId')));
    },
  }),
  uploadComplete.check({
    name: 'response',
    requirements: ['upload-complete.response', 'versioning.wire.json-bodies'],
    title: 'the completion is answered with the file',
    async run(context) {
      const sandbox = await openSandbox(context);
      const response = await complete(sandbox, sandbox.fixture('uploadId'));
      assumeSuccess(response);
      expectSchema('File', response.json, response);
    },
  }),
  uploadComplete.check({
    name: 'promotes',
    requirements: ['upload-complete.promotes'],
    title: 'the file of a completed upload can be read, with the bytes that were uploaded',
    async run(context) {
      const sandbox = await openSandbox(context);
      const id = completedFile(await complete(sandbox, sandbox.fixture('uploadId')));
      const response = await sandbox.api.send({ path: filePath(id), key: sandbox.key });
      expectSuccess(response);
      expectEqual('id', Object(response.json)['id'], id, response);
      const content = await download(sandbox.api, id, sandbox.key);
      expectSuccess(content);
      const size = fixtureOrNull(sandbox, 'uploadSize');
      expectBytes(content, {
        size: size === null ? Object(response.json)['size'] : Number(size),
        sha256: fixtureOrNull(sandbox, 'uploadSha256'),
      });
    },
  }),
  refuses('empty', 'emptyUploadId', 'whose bytes never came'),
  refuses('mismatched', 'mismatchedUploadId', 'whose bytes are not what was declared'),
  uploadComplete.check({
    name: 'retry-safe',
    requirements: ['upload-complete.retry-safe'],
    title: 'completing an upload again gives the same file again',
    async run(context) {
      const sandbox = await openSandbox(context);
      const id = sandbox.fixture('uploadId');
      const file = completedFile(await complete(sandbox, id));
      const again = await complete(sandbox, id);
      expectSuccess(again);
      expectEqual('id', Object(again.json)['id'], file, again);
      expectSuccess(await sandbox.api.send({ path: filePath(file), key: sandbox.key }));
    },
  }),
  uploadComplete.check({
    name: 'simultaneous',
    requirements: ['upload-complete.retry-safe'],
    title: 'completions of one upload at the same time make no second file',
    async run(context) {
      const sandbox = await openSandbox(context);
      const id = sandbox.fixture('uploadId');
      const responses = await Promise.all([1, 2, 3].map(() => complete(sandbox, id)));
      const file = completedFile(await complete(sandbox, id));
      // What the others are told meanwhile is not stated, but a success names the one file.
      for (const response of responses.filter(isSuccess)) {
        expectEqual('id', Object(response.json)['id'], file, response);
      }
    },
  }),
  uploadComplete.check({
    name: 'unknown',
    requirements: ['status-code.404'],
    title: 'an upload that does not exist is answered with 404',
    async run(context) {
      const sandbox = await openSandbox(context);
      assumeSuccess(await complete(sandbox, sandbox.fixture('uploadId')));
      expectStatus(await complete(sandbox, 'upload-that-nobody-made'), 404);
    },
  }),
  tenant.check({
    name: 'foreign-upload-refused',
    requirements: ['auth.tenant.isolation'],
    title: "another tenant's key cannot complete an upload",
    needs: ['key.main', 'key.otherTenant', 'fixture.uploadId'],
    async run(context) {
      const sandbox = await openSandbox(context);
      const id = sandbox.fixture('uploadId');
      const foreign = await complete(sandbox, id, sandbox.otherTenantKey);
      assumeSuccess(await complete(sandbox, id));
      expectRefusal(foreign);
    },
  }),
];

function refuses(
  name: string,
  fixture: 'emptyUploadId' | 'mismatchedUploadId',
  what: string,
): Check {
  return uploadComplete.check({
    name: `refuses-${name}`,
    requirements: ['upload-complete.verifies'],
    title: `an upload ${what} is refused with a 4xx, however often it is completed`,
    needs: ['key.main', 'fixture.uploadId', `fixture.${fixture}`],
    async run(context) {
      const sandbox = await openSandbox(context);
      assumeSuccess(await complete(sandbox, sandbox.fixture('uploadId')));
      expectRefusal(await complete(sandbox, sandbox.fixture(fixture)));
      expectRefusal(await complete(sandbox, sandbox.fixture(fixture)));
    },
  });
}
