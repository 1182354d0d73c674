import { describe, expect, test } from 'vitest';

import { arePeersInstalled } from '../../receiver/peers/peers.ts';
import { idsWith, judgeReceiver } from './judge-receiver.ts';

const SIGNATURE = 'receiver.signature';

/** What a reading of each program says, written before the suite judged it: the failed checks, each with its cause. */
const VERDICTS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  fastify: {
    [`${SIGNATURE}.header-malformed`]: /^The prefix is compared without regard to case/,
  },
  standardwebhooks: {
    [`${SIGNATURE}.valid`]: /^The receiver expects the digest in Base64, with the Base64 decoding/,
  },
  'standardwebhooks-shim': {
    [`${SIGNATURE}.header-malformed`]: /^The version before the digest is not checked/,
    [`${SIGNATURE}.timestamp-malformed`]: /as parseInt does\.$/,
    [`${SIGNATURE}.digest-length`]: /^What follows the 64th digit is ignored/,
    [`${SIGNATURE}.digest-not-hex`]: /^The hex decoder stops/,
    [`${SIGNATURE}.body-tampered`]: /^The body is decoded to text before it is verified/,
  },
  octokit: {
    [`${SIGNATURE}.timestamp-malformed`]: /^The timestamp is parsed to NaN/,
    [`${SIGNATURE}.body-tampered`]: /decoded to text before it is verified/,
  },
};

const NAMES = Object.keys(VERDICTS);
/** Fastify is a part of every installation; the others are those of `test/bench/peers`. */
const FROM_PEERS = NAMES.filter((name) => name !== 'fastify');

describe('a receiver that others wrote', () => {
  test('with fastify has these failures and causes', () => expectVerdict('fastify'));

  test.skipIf(!arePeersInstalled).each(FROM_PEERS)(
    'with %s has these failures and causes',
    expectVerdict,
  );
});

async function expectVerdict(name: string): Promise<void> {
  const report = await judgeReceiver(name, { observed: false });
  const expected = VERDICTS[name] ?? {};
  expect(idsWith(report, 'fail')).toEqual(Object.keys(expected));
  for (const { id, violation } of report.checks.filter(({ verdict }) => verdict === 'fail')) {
    expect(`${violation?.diagnosis.cause}`, id).toMatch(expected[id] ?? /^$/);
  }
  expect(idsWith(report, 'inconclusive')).toEqual([]);
}
