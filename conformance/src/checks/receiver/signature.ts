import { loadSignatureVectors, prepareVector } from '@hookproof/spec/vectors';
import type { SignatureVector, SignatureVectorGroup } from '@hookproof/spec/vectors';

import { area } from '../../check-kit/area.ts';
import type { Check, CheckContext } from '../../check-kit/check.ts';
import type { ReceiverRequest } from '../../clients/receiver-client.ts';
import { COMMON_HEADERS } from '../../signing/delivery.ts';
import { digest, keyBytes } from '../../signing/signer.ts';
import { causeOfAccepted } from '../../diagnosis/vector-causes.ts';
import { Inconclusive, Violation } from '../../verdict/findings.ts';
import { coveringSet } from './covering-set.ts';
import {
  assumeAccepted,
  eventNow,
  expectAccepted,
  expectRefused,
  receiverSeconds,
} from './deliver.ts';
import { isFree } from './free-vector.ts';
import { withPlainId } from './plain-id.ts';
import { VECTOR_FAMILIES } from './vector-family.ts';
import type { VectorFamily } from './vector-family.ts';

/** The receiver's clock is known to some minutes only: in between, the checks `receiver.timestamp` judge. */
const CERTAIN = { within: 60, beyond: 600 };

const VECTORS_OF_A_FLAG = 3;
/** Accepted vectors that a message names beside the first one. */
const MAX_SHOWN = 3;

let groups: readonly SignatureVectorGroup[] | undefined;

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
    run: (context) => judgeAll(context, sentVectorsOf(family)),
  }),
);

/** The vectors of a family that a run sends: enough of them to show each bug. */
export function sentVectorsOf(family: VectorFamily): readonly SignatureVector[] {
  return coveringSet(vectorsOf(family), family.vectorsOfAFlag ?? VECTORS_OF_A_FLAG);
}

/** All vectors that the check of a family stands for. */
export function vectorsOf(family: VectorFamily): readonly SignatureVector[] {
  groups ??= loadSignatureVectors().groups;
  return groups.flatMap(({ name, vectors }) =>
    vectors.filter((vector) => isJudgeable(vector) && family.includes(vector, name)),
  );
}

/** Whether a status can contradict the vector, on a clock that is known to some minutes. */
export function isJudgeable(vector: SignatureVector): boolean {
  const { result, envelope, overHttp, recipe } = vector;
  const distance = Math.abs(recipe.timestampOffset);
  if (!overHttp || isFree(vector) || (distance > CERTAIN.within && distance < CERTAIN.beyond))
    return false;
  return result === 'invalid' || (result === 'valid' && envelope === 'valid');
}

/** Judges every vector, because all that are accepted together show the cause. The first violation is reported. */
async function judgeAll(context: CheckContext, vectors: readonly SignatureVector[]): Promise<void> {
  const violated: SignatureVector[] = [];
  let first: Violation | null = null;
  for (const vector of vectors) {
    const found = await judge(context, vector).catch((error: unknown) => {
      // What was seen before the receiver stopped responding stays.
      if (first === null || !(error instanceof Inconclusive)) throw error;
      return 'no-result' as const;
    });
    if (found === 'no-result') break;
    if (found === null) continue;
    first ??= found;
    violated.push(vector);
  }
  if (first === null) {
    // A receiver that refuses everything by now has refused no vector for what it is.
    await assumeAccepted(context, eventNow(context, 'aftervectors'));
    return;
  }
  const { detail } = first;
  const diagnosis = vectors.every(({ result }) => result === 'invalid')
    ? causeOfAccepted(violated)
    : null;
  throw new Violation({
    ...detail,
    message: `${detail.message ?? first.message}${alsoText(violated)}`,
    ...(diagnosis === null ? {} : { diagnosis }),
  });
}

function alsoText([first, ...others]: readonly SignatureVector[]): string {
  const sentences = new Set(others.map(({ comment }) => sentencesOf(comment).first));
  // The same mistake of a creation and of a change has one sentence.
  if (first !== undefined) sentences.delete(sentencesOf(first.comment).first);
  if (sentences.size === 0) return '';
  const shown = [...sentences].slice(0, MAX_SHOWN);
  const more = sentences.size - shown.length;
  const texts = [...shown, ...(more === 0 ? [] : [`${more} more`])];
  return ` Likewise: ${texts.join('; ')}.`;
}

/** Null when the receiver responds as it must. */
async function judge(context: CheckContext, vector: SignatureVector): Promise<Violation | null> {
  const make = (): ReceiverRequest => requestOf(context, withPlainId(vector));
  const { first, rest } = sentencesOf(vector.comment);
  try {
    if (vector.result === 'valid') {
      await expectAccepted(context, make, first);
    } else {
      await expectRefused(context, make, { what: first, comment: rest });
    }
    return null;
  } catch (error) {
    if (error instanceof Violation) return error;
    throw error;
  }
}

function requestOf(context: CheckContext, vector: SignatureVector): ReceiverRequest {
  const { receiver } = context;
  const key = keyBytes(receiver.secret, receiver.secretEncoding);
  const now = receiverSeconds(context);
  const prepared = prepareVector(vector, { secret: receiver.secret, now, key });
  if (vector.recipe.key === 'utf8' && digest(key, prepared.signed) !== prepared.signed.digest) {
    throw new Error(`the recipe of ${vector.id} and the suite's signer disagree`);
  }
  return { headers: [...COMMON_HEADERS, ...prepared.headers], body: prepared.body };
}

/** The first sentence without its stop, and the others. */
function sentencesOf(comment: string): { readonly first: string; readonly rest: string } {
  const [first = '', ...rest] = comment.split(/\.(?: |$)/);
  return {
    first,
    rest: rest
      .filter(Boolean)
      .map((sentence) => `${sentence}.`)
      .join(' '),
  };
}
