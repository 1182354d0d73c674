import { describe, expect, test } from 'vitest';

import { idsWith, judgeReceiver } from './judge-receiver.ts';

const SIGNATURE = 'receiver.signature';

/** Those of a shim that cuts off a prefix and turns hex digits into Base64. */
const OF_SHIM: Readonly<Record<string, RegExp>> = {
  [`${SIGNATURE}.header-malformed`]: /^The version before the digest is not checked/,
  [`${SIGNATURE}.timestamp-malformed`]: /as parseInt does\.$/,
  [`${SIGNATURE}.digest-length`]: /^What follows the 64th digit is ignored/,
  [`${SIGNATURE}.digest-not-hex`]: /^The hex decoder stops/,
  [`${SIGNATURE}.body-tampered`]: /^The body is decoded to text before it is verified/,
};
const OF_STANDARD: Readonly<Record<string, RegExp>> = {
  [`${SIGNATURE}.valid`]: /^The receiver expects the digest in Base64, with the Base64 decoding/,
};

/** What a reading of each program says, written before the suite judged it: the failed checks, each with its cause. */
const VERDICTS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  fastify: {
    [`${SIGNATURE}.header-malformed`]: /^The prefix is compared without regard to case/,
  },
  standardwebhooks: OF_STANDARD,
  svix: OF_STANDARD,
  'standardwebhooks-shim': OF_SHIM,
  'svix-shim': OF_SHIM,
  stripe: {
    [`${SIGNATURE}.valid`]: /^The receiver verifies <timestamp>\.<body>/,
  },
  octokit: {
    [`${SIGNATURE}.timestamp-malformed`]: /^The timestamp is parsed to NaN/,
    [`${SIGNATURE}.body-tampered`]: /decoded to text before it is verified/,
  },
};

describe('a receiver that others wrote', () => {
  test.each(Object.keys(VERDICTS))('with %s has these failures and causes', expectVerdict);
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
