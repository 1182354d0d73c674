import { createHash } from 'node:crypto';

import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { CouldNotRun, NotApplicable } from '../../../verdict/findings.ts';
import {
  expectAllowed,
  assumeSuccess,
  expectSuccess,
  isSuccess,
  violation,
} from '../../../check-kit/expect.ts';
import { fixtureOrNull, knownFiles } from '../operations/known-files.ts';
import { fileIn, filePath, isRedirect, sampleContent } from '../operations/files.ts';

const fileContent = area('api.file-content', {
  access: 'read',
  needs: ['key.main', 'fixture.fileId'],
});

/** The bytes of a file, sent by the API itself or by a storage that it redirects to. */
export const fileContentChecks: readonly Check[] = [
  fileContent.check({
    name: 'bytes',
    requirements: ['file-content.bytes'],
    title: 'a download leads to as many bytes as the metadata says, and to the right ones',
    async run(context) {
      const { api } = context;
      const [id = '', ...others] = knownFiles(context);
      const response = await sampleContent(api, id);
      if (!isRedirect(response)) expectAllowed(response);
      await expectContent(context, id, fixtureOrNull(context, 'fileSha256'));
      for (const other of others) await expectContent(context, other, null);
    },
  }),
  fileContent.check({
    name: 'streamed',
    requirements: ['file-content.streamed'],
    title: 'a download that is not redirected has the bytes in its answer',
    async run(context) {
      const path = filePath(context.fixture('fileId'));
      if (fileIn(await context.api.sample({ path }))['size'] === 0) {
        throw new CouldNotRun('the file is empty', 'give a fileId of a file with bytes');
      }
      const responses = await contents(context);
      const direct = responses.filter((response) => !isRedirect(response));
      if (direct.length === 0) throw new NotApplicable('every download is redirected to storage');
      for (const response of direct) {
        assumeSuccess(response);
        if (response.bytes.byteLength === 0) throw violation('bytes', 'an empty body', response);
      }
    },
  }),
  fileContent.check({
    name: 'redirect',
    requirements: ['file-content.redirect'],
    title: 'a redirect names a storage address that answers with a 2xx, without a key',
    async run(context) {
      const responses = await contents(context);
      const redirects = responses.filter(
        (response) => response.status < 400 && !isSuccess(response),
      );
      if (redirects.length === 0) throw sentDirectly();
      for (const redirect of redirects) {
        if (!isRedirect(redirect)) throw violation('a Location', 'none', redirect);
        expectSuccess(await context.api.follow(redirect));
      }
    },
  }),
];

/** The file must have the size, and the hash where one is known. */
export function expectBytes(
  content: ApiResponse,
  expected: { readonly size: unknown; readonly sha256: string | null },
): void {
  const { byteLength } = content.bytes;
  if (typeof expected.size === 'number' && byteLength !== expected.size) {
    throw violation(`${expected.size} bytes, its size`, `${byteLength} bytes`, content);
  }
  const sha256 = createHash('sha256').update(content.bytes).digest('hex');
  if (expected.sha256 !== null && sha256 !== expected.sha256.toLowerCase()) {
    throw violation(`bytes with the SHA-256 ${expected.sha256}`, sha256, content);
  }
}

/** Where the threshold of a deployment lies is not stated: small downloads say nothing about redirects. */
export function sentDirectly(): NotApplicable {
  return new NotApplicable(
    'no download is redirected: a fileId above the size that the deployment configured would show more',
  );
}

async function expectContent(
  { api }: CheckContext,
  id: string,
  sha256: string | null,
): Promise<void> {
  const { size } = fileIn(await api.sample({ path: filePath(id) }));
  const response = await sampleContent(api, id);
  const content = isRedirect(response) ? await api.follow(response) : response;
  assumeSuccess(content);
  expectBytes(content, { size, sha256 });
}

function contents(context: CheckContext): Promise<ApiResponse[]> {
  return Promise.all(knownFiles(context).map((id) => sampleContent(context.api, id)));
}
