import type { Check, Requirements } from '../../../check.ts';
import {
  expectAllowed,
  expectControlPasses,
  expectEqual,
  expectRefusal,
  expectStatus,
  expectSuccess,
  isSuccess,
} from '../../expect.ts';
import { expectSchema } from '../../schema.ts';
import { expectBytes } from '../file/content.ts';
import { fixtureOrNull } from '../file/known-files.ts';
import { download, filePath } from '../file/read-file.ts';
import { openStage } from '../stage.ts';
import { complete, completedFile } from './complete.ts';

/** A pending upload becomes a file, once, and only when its bytes are there. */
export const uploadCompletionChecks: readonly Check[] = [
  {
    ...base('no-request-body', 'upload-complete.no-request-body'),
    title: 'an upload is completed by a request without a body',
    async run(context) {
      const stage = await openStage(context);
      expectAllowed(await complete(stage, stage.fixture('uploadId')));
    },
  },
  {
    ...base('response', 'upload-complete.response', 'versioning.wire.json-bodies'),
    title: 'the completion is answered with the file',
    async run(context) {
      const stage = await openStage(context);
      const response = await complete(stage, stage.fixture('uploadId'));
      expectControlPasses(response);
      expectSchema('File', response.json, response);
    },
  },
  {
    ...base('promotes', 'upload-complete.promotes'),
    title: 'the file of a completed upload can be read, with the bytes that were uploaded',
    async run(context) {
      const stage = await openStage(context);
      const id = completedFile(await complete(stage, stage.fixture('uploadId')));
      const response = await stage.api.send({ path: filePath(id), key: stage.key });
      expectSuccess(response);
      expectEqual('id', Object(response.json)['id'], id, response);
      const content = await download(stage.api, id, stage.key);
      expectSuccess(content);
      const size = fixtureOrNull(stage, 'uploadSize');
      expectBytes(content, {
        size: size === null ? Object(response.json)['size'] : Number(size),
        sha256: fixtureOrNull(stage, 'uploadSha256'),
      });
    },
  },
  refuses('empty', 'emptyUploadId', 'whose bytes never came'),
  refuses('mismatched', 'mismatchedUploadId', 'whose bytes are not what was declared'),
  {
    ...base('retry-safe', 'upload-complete.retry-safe'),
    title: 'completing an upload again gives the same file again',
    async run(context) {
      const stage = await openStage(context);
      const id = stage.fixture('uploadId');
      const file = completedFile(await complete(stage, id));
      const again = await complete(stage, id);
      expectSuccess(again);
      expectEqual('id', Object(again.json)['id'], file, again);
      expectSuccess(await stage.api.send({ path: filePath(file), key: stage.key }));
    },
  },
  {
    ...base('simultaneous', 'upload-complete.retry-safe'),
    title: 'completions of one upload at the same time make no second file',
    async run(context) {
      const stage = await openStage(context);
      const id = stage.fixture('uploadId');
      const answers = await Promise.all([1, 2, 3].map(() => complete(stage, id)));
      const file = completedFile(await complete(stage, id));
      // What the others are told meanwhile is not stated, but a success names the one file.
      for (const answer of answers.filter(isSuccess)) {
        expectEqual('id', Object(answer.json)['id'], file, answer);
      }
    },
  },
  {
    ...base('unknown', 'status-code.404'),
    title: 'an upload that does not exist is answered with 404',
    async run(context) {
      const stage = await openStage(context);
      expectControlPasses(await complete(stage, stage.fixture('uploadId')));
      expectStatus(await complete(stage, 'upload-that-nobody-made'), 404);
    },
  },
  {
    ...base('foreign-refused', 'auth.tenant.isolation'),
    id: 'api.tenant.foreign-upload-refused',
    title: "another tenant's key cannot complete an upload",
    needs: ['key.main', 'key.otherTenant', 'fixture.uploadId'],
    async run(context) {
      const stage = await openStage(context);
      const id = stage.fixture('uploadId');
      const foreign = await complete(stage, id, stage.otherTenantKey);
      expectControlPasses(await complete(stage, id));
      expectRefusal(foreign);
    },
  },
];

function refuses(
  name: string,
  fixture: 'emptyUploadId' | 'mismatchedUploadId',
  what: string,
): Check {
  return {
    ...base(`refuses-${name}`, 'upload-complete.verifies'),
    title: `an upload ${what} is refused with a 4xx, however often it is completed`,
    needs: ['key.main', 'fixture.uploadId', `fixture.${fixture}`],
    async run(context) {
      const stage = await openStage(context);
      expectControlPasses(await complete(stage, stage.fixture('uploadId')));
      expectRefusal(await complete(stage, stage.fixture(fixture)));
      expectRefusal(await complete(stage, stage.fixture(fixture)));
    },
  };
}

function base(name: string, ...requirements: Requirements): Omit<Check, 'title' | 'run'> {
  return {
    id: `api.upload-complete.${name}`,
    requirements,
    side: 'api',
    effect: 'write',
    exclusive: 'without-worlds',
    needs: ['key.main', 'fixture.uploadId'],
  };
}
