import { loadSignatureVectors, prepareVector } from '@hookproof/spec/vectors';
import type { SignatureVector } from '@hookproof/spec/vectors';

import { area } from '../../check-kit/area.ts';
import type { ApiResponse } from '../../clients/api-client.ts';
import type { Check, CheckContext } from '../../check-kit/check.ts';
import { Violation } from '../../verdict/findings.ts';
import { digest, keyBytes } from '../../signing/signer.ts';
import { isSuccess } from '../../check-kit/expect.ts';
import { receiverSeconds } from './deliver.ts';
import { VECTOR_FAMILIES } from './vector-family.ts';
import type { VectorFamily } from './vector-family.ts';

/** Near the edge of the tolerance the clocks decide: the checks `receiver.timestamp` judge it. */
const EDGE = { from: 290, to: 310 };

const signature = area('receiver.signature', {
  access: 'read',
  needs: ['receiver'],
});

/** The signature vectors that HTTP can deliver, with the current time and the receiver's secret. */
export const receiverSignatureChecks: readonly Check[] = VECTOR_FAMILIES.map((family) =>
  signature.check({
    name: family.name,
    requirements: family.requirements,
    title: family.title,
    async run(context) {
      for (const vector of vectorsOf(family)) await show(context, vector);
    },
  }),
);

/** The vectors of a family that a run sends. */
export function vectorsOf(family: VectorFamily): readonly SignatureVector[] {
  return loadSignatureVectors().groups.flatMap(({ name, vectors }) =>
    vectors.filter((vector) => isJudgeable(vector) && family.includes(vector, name)),
  );
}

/** Whether a status can contradict the vector, on a clock that is known to the second. */
export function isJudgeable({ result, envelope, overHttp, recipe }: SignatureVector): boolean {
  const distance = Math.abs(recipe.timestampOffset);
  if (!overHttp || (distance >= EDGE.from && distance <= EDGE.to)) return false;
  return result === 'invalid' || (result === 'valid' && envelope === 'valid');
}

async function show(context: CheckContext, vector: SignatureVector): Promise<void> {
  const { receiver } = context;
  const key = keyBytes(receiver.secret, receiver.secretEncoding);
  const now = receiverSeconds(context);
  const prepared = prepareVector(vector, { secret: receiver.secret, now, key });
  if (vector.recipe.key === 'utf8' && digest(key, prepared.signed) !== prepared.signed.digest) {
    throw new Error(`the recipe of ${vector.id} and the suite's signer disagree`);
  }
  const response = await receiver.deliver({
    headers: [['content-type', 'application/json'], ...prepared.headers],
    body: prepared.body,
  });
  judge(vector, response);
}

function judge(vector: SignatureVector, response: ApiResponse): void {
  if (isSuccess(response) === (vector.result === 'valid')) return;
  const expected = vector.result === 'valid' ? 'a 2xx' : 'anything but a 2xx';
  throw new Violation({
    expected,
    actual: `status ${response.status}`,
    message: `${vector.id}: expected ${expected}, got status ${response.status}. ${vector.comment}`,
    exchange: response.exchange,
  });
}
