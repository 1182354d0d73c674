import { loadSignatureVectors } from '@hookproof/spec/vectors';
import type { SignatureVector } from '@hookproof/spec/vectors';
import { expect, test } from 'vitest';

import { attemptOf, loadPeers } from './peers.ts';
import type { Peer } from './peers.ts';

interface HostileClass {
  readonly name: string;
  /** What a library must read for the class to concern it. */
  readonly concerns: 'id' | 'timestamp' | null;
  readonly includes: (vector: SignatureVector) => boolean;
}

const flagged =
  (...flags: readonly string[]) =>
  (vector: SignatureVector): boolean =>
    vector.code === 'signature_malformed' && flags.some((flag) => vector.flags.includes(flag));

const CLASSES: readonly HostileClass[] = [
  {
    name: 'timestamp that is not whole seconds in digits',
    concerns: 'timestamp',
    includes: ({ code }) => code === 'timestamp_malformed',
  },
  {
    name: 'timestamp more than 5 minutes ago',
    concerns: 'timestamp',
    includes: ({ code }) => code === 'timestamp_too_old',
  },
  {
    name: 'timestamp more than 5 minutes ahead',
    concerns: 'timestamp',
    includes: ({ code }) => code === 'timestamp_too_new',
  },
  {
    name: 'id with characters outside visible ASCII, or a comma',
    concerns: 'id',
    includes: ({ code }) => code === 'id_malformed',
  },
  { name: 'digest with a wrong character', concerns: null, includes: flagged('NotHex') },
  { name: 'digest cut or empty', concerns: null, includes: flagged('ShortDigest') },
  { name: 'correct digest with more behind it', concerns: null, includes: flagged('LongDigest') },
  {
    name: 'list of signatures, one correct',
    concerns: null,
    includes: flagged('SignatureList'),
  },
  {
    name: 'body changed after signing',
    concerns: null,
    includes: ({ code, id }) => code === 'signature_mismatch' && id.startsWith('body-'),
  },
];

const vectors = loadSignatureVectors().groups.flatMap((group) => group.vectors);

/** A second can pass between signing and the verification, and the peers take no clock. */
function isAtTheEdge({ recipe: { timestampOffset } }: SignatureVector): boolean {
  return Math.abs(Math.abs(timestampOffset) - 300) <= 10;
}

async function row({ name, concerns, includes }: HostileClass, peers: readonly Peer[]) {
  const attempts = vectors
    .filter((vector) => vector.result === 'invalid' && includes(vector) && !isAtTheEdge(vector))
    .flatMap((vector) => attemptOf(vector) ?? []);
  const cells = peers.map(async (peer) => {
    if (concerns !== null && !peer.reads.includes(concerns)) return 'not read';
    const accepted = await Promise.all(
      attempts.map((attempt) =>
        Promise.resolve(attempt)
          .then((one) => peer.verify(one))
          .then(
            () => 1,
            () => 0,
          ),
      ),
    );
    return String(accepted.filter((one) => one === 1).length);
  });
  return [name, String(attempts.length), ...(await Promise.all(cells))];
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

async function table(peers: readonly Peer[]): Promise<string> {
  const head = ['hostile class', 'cases', ...peers.map(({ name }) => name)];
  const rows = await Promise.all(CLASSES.map((one) => row(one, peers)));
  return [
    '# What other libraries accept',
    '',
    'The number of vectors of each class that a library accepts; 0 is best. Each delivery is signed in the way of',
    'the library (its key, message, encoding and header). "not read" means that the library has no such header.',
    'standardwebhooks and svix take a list of signatures by design. Written by',
    '`npx vitest run test/receiver/peers -u`, with the versions in `package.json`.',
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
    '',
  ].join('\n');
}

test('the table of peers is what they accept', async () => {
  await expect(await table(loadPeers())).toMatchFileSnapshot('../../../spec/vectors/PEERS.md');
});
