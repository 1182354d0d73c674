import { createHash } from 'node:crypto';

import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { CouldNotRun, NotApplicable } from '../../../verdict/findings.ts';
import {
  expectAllowed,
  assumeSuccess,
  expectSuccess,
  violation,
} from '../../../check-kit/expect.ts';
import {
  fileIn,
  filePath,
  fixtureOrNull,
  isRedirect,
  knownFiles,
  sampleContent,
} from '../operations/files.ts';
import { isSuccess } from '../../../http/message.ts';

const fileContent = area('api.file-content', {
  access: 'read',
  needs: ['key.main', 'fixture.fileId'],
});

/** The bytes of a file, from the API or from the storage that it redirects to. */
export const fileContentChecks: readonly Check[] = [
  fileContent.check({
    name: 'bytes',
    requirements: ['file-content.bytes'],
    title: 'a download has the size that the metadata states, and the right bytes',
    async run(context) {
      const { api } = context;
      const [id = '', ...others] = await knownFiles(context);
      const response = await sampleContent(api, id);
      if (!isRedirect(response)) expectAllowed(response);
      await expectContent(context, id, fixtureOrNull(context, 'fileSha256'));
      for (const other of others) await expectContent(context, other, null);
    },
  }),
  fileContent.check({
    name: 'streamed',
    requirements: ['file-content.streamed'],
    title: 'a download without a redirect has the bytes in its body',
    async run(context) {
      const path = filePath(context.fixture('fileId'));
      if (fileIn(await context.api.sample({ path }))['size'] === 0) {
        throw new CouldNotRun(
          'fixture fileId must name a file with bytes, got an empty file',
          'use another fileId',
        );
      }
      const responses = await contents(context);
      const direct = responses.filter((response) => !isRedirect(response));
      if (direct.length === 0)
        throw new NotApplicable('the API redirects every download to storage');
      for (const response of direct) {
        assumeSuccess(response);
        if (response.bytes.byteLength === 0) throw violation('bytes', 'an empty body', response);
      }
    },
  }),
  fileContent.check({
    name: 'redirect',
    requirements: ['file-content.redirect'],
    title: 'a redirect leads to a storage URL that responds with a 2xx without a key',
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

/** Throws a violation unless the bytes have the size, and the hash if it is known. */
export function expectBytes(
  content: ApiResponse,
  expected: { readonly size: unknown; readonly sha256: string | null },
): void {
  const { byteLength } = content.bytes;
  if (typeof expected.size === 'number' && byteLength !== expected.size) {
    throw violation(`${expected.size} bytes`, `${byteLength} bytes`, content);
  }
  const sha256 = createHash('sha256').update(content.bytes).digest('hex');
  if (expected.sha256 !== null && sha256 !== expected.sha256.toLowerCase()) {
    throw violation(`SHA-256 ${expected.sha256}`, `SHA-256 ${sha256}`, content);
  }
}

/** The contract does not state from which size a deployment redirects. */
export function sentDirectly(): NotApplicable {
  return new NotApplicable(
    'the API redirects no download; use a larger file as fileId to judge redirects',
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

async function contents(context: CheckContext): Promise<ApiResponse[]> {
  const known = await knownFiles(context);
  return Promise.all(known.map((id) => sampleContent(context.api, id)));
}
