import { createHash } from 'node:crypto';

import type { ApiResponse } from '../../../api-client.ts';
import type { Check, CheckContext } from '../../../check.ts';
import { CouldNotRun, NotApplicable } from '../../../findings.ts';
import {
  expectAllowed,
  expectControlPasses,
  expectSuccess,
  isSuccess,
  violation,
} from '../../expect.ts';
import { isRedirect, readFile, requestContent } from './read-file.ts';

/** The bytes of a file, sent by the API itself or by a storage that it redirects to. */
export const fileContentChecks: readonly Check[] = [
  {
    ...base('bytes', 'file-content.bytes'),
    title: 'a download leads to as many bytes as the metadata says, and to the right ones',
    async run(context) {
      const { file } = await readFile(context.api, context.fixture('fileId'));
      const answer = await requestContent(context.api, context.fixture('fileId'));
      if (!isRedirect(answer)) expectAllowed(answer);
      const content = isRedirect(answer) ? await context.api.follow(answer) : answer;
      expectControlPasses(content);
      expectBytes(content, { size: file['size'], sha256: hashFixture(context) });
    },
  },
  {
    ...base('streamed', 'file-content.streamed'),
    title: 'a download that is not redirected is answered with a 2xx and bytes',
    async run(context) {
      const { file } = await readFile(context.api, context.fixture('fileId'));
      if (file['size'] === 0) throw needsBytes();
      const content = await requestContent(context.api, context.fixture('fileId'));
      if (isRedirect(content)) {
        throw new NotApplicable('the download is redirected to storage');
      }
      expectAllowed(content);
      if (content.bytes.byteLength === 0) throw violation('bytes', 'an empty body', content);
    },
  },
  {
    ...base('redirect', 'file-content.redirect'),
    title: 'a redirect leads to a storage address that gives the bytes without a key',
    async run(context) {
      const content = await requestContent(context.api, context.fixture('fileId'));
      if (isSuccess(content)) throw sentDirectly();
      if (isRedirect(content)) return expectSuccess(await context.api.follow(content));
      if (content.header('location') === undefined && content.status < 400) {
        throw violation('a Location', 'none', content);
      }
      expectControlPasses(content);
    },
  },
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
    'the download is not redirected: a fileId above the size that the deployment configured would show more',
  );
}

/** Null when nobody told the hash. */
function hashFixture(context: CheckContext): string | null {
  try {
    return context.fixture('fileSha256');
  } catch (error) {
    if (error instanceof CouldNotRun) return null;
    throw error;
  }
}

function needsBytes(): CouldNotRun {
  return new CouldNotRun('the file is empty', 'give a fileId of a file with bytes');
}

function base(name: string, requirement: string): Omit<Check, 'title' | 'run'> {
  return {
    id: `api.file-content.${name}`,
    requirement,
    side: 'api',
    effect: 'read',
    needs: ['key.main', 'fixture.fileId'],
  };
}
