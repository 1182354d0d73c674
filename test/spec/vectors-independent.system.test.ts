import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSignatureVectors, prepareVector } from '@hookproof/spec/vectors';
import { describe, expect } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { testWith } from '../services/local-server.ts';

// Our generator computed the digests in the file. Here, independent programs compute them.
const signed = loadSignatureVectors().groups.flatMap((group) =>
  group.vectors.map((vector) => {
    const { body } = prepareVector(vector, group).signed;
    const { keyHex, id, timestamp, digest } = vector.signed;
    const message = Buffer.concat([Buffer.from(`${id}.${timestamp}.`, 'latin1'), body]);
    return { vectorId: vector.id, keyHex, message, digest };
  }),
);

describe('digests computed by a program that is not ours', () => {
  testWith('openssl')('openssl', () => {
    const folder = emptyFolder();
    // openssl does not accept an empty key.
    for (const keyHex of new Set(signed.map((one) => one.keyHex).filter((key) => key !== ''))) {
      const group = signed.filter((one) => one.keyHex === keyHex);
      const files = group.map(({ vectorId, message }) => {
        const file = join(folder, vectorId);
        writeFileSync(file, message);
        return file;
      });
      const mac = ['-mac', 'HMAC', '-macopt', `hexkey:${keyHex}`];
      const { stdout, stderr } = spawnSync('openssl', ['dgst', '-sha256', ...mac, ...files], {
        encoding: 'utf8',
      });
      const digests = Array.from(stdout.matchAll(/= ([0-9a-f]{64})$/gm), ([, digest]) => digest);
      expect(stderr).toBe('');
      expect(digests).toEqual(group.map(({ digest }) => digest));
    }
  });

  testWith('python')('python3', () => {
    const program = [
      'import hmac, json, sys',
      'for case in json.load(sys.stdin):',
      '    key, message = (bytes.fromhex(case[name]) for name in ("keyHex", "messageHex"))',
      '    print(hmac.new(key, message, "sha256").hexdigest())',
    ].join('\n');
    const input = signed.map(({ keyHex, message }) => ({
      keyHex,
      messageHex: message.toString('hex'),
    }));
    const { stdout, stderr } = spawnSync('python3', ['-c', program], {
      input: JSON.stringify(input),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual(signed.map(({ digest }) => digest));
  });
});
