import { prepareVector } from '@hookproof/spec/vectors';
import type {
  SignatureVector,
  SignatureVectorGroup,
  SignatureVectors,
} from '@hookproof/spec/vectors';
import { vectorsText } from './types/step.ts';
import type { Step } from './types/step.ts';
import { acceptedBodyVectors, changedBodyVectors, envelopeVectors } from './vectors/body.ts';
import { DEFAULT_TIMESTAMP, bodyOf, eventIdOf, headersOf } from './vectors/definition.ts';
import type { BodyDefinition, VectorDefinition } from './vectors/definition.ts';
import { headerVectors } from './vectors/headers.ts';
import {
  alteredBodyVectors,
  moreEnvelopeVectors,
  spelledBodyVectors,
} from './vectors/more-bodies.ts';
import { moreHeaderVectors } from './vectors/more-headers.ts';
import { moreSignatureVectors } from './vectors/more-signatures.ts';
import { distantVectors, moreTimestampVectors } from './vectors/more-timestamps.ts';
import { notes } from './vectors/notes.ts';
import { keyVectors, mismatchVectors, signatureFormVectors } from './vectors/signature.ts';
import { notATimestampVectors, spellingVectors, toleranceVectors } from './vectors/timestamp.ts';
import { validVectors } from './vectors/valid.ts';

const SECRET = 'whsec_aG9va3Byb29mIHZlY3RvcnMsIG5vdCBhIHJlYWwgc2VjcmV0';
/** 2026-07-01T12:00:00Z. */
const NOW = 1_782_907_200;

/** Generates the signature vectors from the case definitions in `vectors/`. */
export const signatureVectors: Step = {
  output: 'vectors/signature.json',
  render() {
    return Promise.resolve(vectorsText(assemble()));
  },
};

function assemble(): SignatureVectors {
  const groups = [
    group(
      'accepted',
      'Valid deliveries, and deliveries that a signature check cannot refuse.',
      validVectors,
    ),
    group('headers', 'Missing, repeated or malformed headers.', [
      ...headerVectors,
      ...moreHeaderVectors,
    ]),
    group('tolerance', 'Timestamps inside and outside the tolerance.', [
      ...toleranceVectors,
      ...distantVectors,
    ]),
    group(
      'timestamp-spelling',
      'Spellings of the current time that only lenient parsers accept.',
      spellingVectors,
    ),
    group('timestamp-form', 'Timestamps that are not a number of seconds.', [
      ...notATimestampVectors,
      ...moreTimestampVectors,
    ]),
    group('signature-form', 'Malformed signatures.', [
      ...signatureFormVectors,
      ...moreSignatureVectors,
    ]),
    group('signature-mismatch', 'Well-formed signatures of something else.', mismatchVectors),
    group('key', 'Keys that are not the secret of the endpoint.', keyVectors),
    group('body-accepted', 'Valid bodies that are accepted only if the raw bytes are verified.', [
      ...acceptedBodyVectors,
      ...spelledBodyVectors,
    ]),
    group('body-changed', 'Bodies that were changed after signing.', [
      ...changedBodyVectors,
      ...alteredBodyVectors,
    ]),
    group('envelope', 'Correctly signed bodies that are not an event, or another event.', [
      ...envelopeVectors,
      ...moreEnvelopeVectors,
    ]),
  ];
  return {
    about:
      'Deliveries of signed webhook events, with the expected result of each. README.md explains how to use this file. ' +
      'signature.schema.json defines its format. `npm run generate` creates it from spec/generate/vectors.',
    numberOfVectors: groups.reduce((sum, { vectors }) => sum + vectors.length, 0),
    notes,
    groups,
  };
}

function group(
  name: string,
  comment: string,
  definitions: readonly VectorDefinition[],
): SignatureVectorGroup {
  const vectors = definitions.map(toVector);
  return { name, comment, secret: SECRET, now: NOW, toleranceSeconds: 300, vectors };
}

function toVector(definition: VectorDefinition): SignatureVector {
  const result = definition.result ?? (refusedBySignatureCheck(definition) ? 'invalid' : 'valid');
  const eventId = eventIdOf(definition);
  const draft: SignatureVector = {
    id: definition.id,
    comment: definition.comment,
    flags: definition.flags,
    result,
    basis: definition.basis ?? (result === 'freedom' ? 'open' : 'contract'),
    envelope: definition.envelope ?? (result === 'invalid' ? null : result),
    code: definition.code ?? null,
    overHttp: definition.overHttp ?? true,
    headers: [],
    ...bodyFields(bodyOf(definition)),
    signed: {
      keyHex: '',
      id: '',
      timestamp: '',
      ...(definition.signedBody === undefined ? {} : bodyFields(definition.signedBody)),
      digest: '',
    },
    recipe: {
      key: definition.key ?? 'utf8',
      timestampOffset: definition.timestampOffset ?? 0,
      signedId: eventId,
      signedTimestamp: definition.timestamp ?? DEFAULT_TIMESTAMP,
      headers: headersOf(definition),
    },
  };
  const { headers, signed } = prepareVector(draft, { secret: SECRET, now: NOW });
  const { keyHex, id, timestamp, digest } = signed;
  return { ...draft, headers, signed: { ...draft.signed, keyHex, id, timestamp, digest } };
}

function refusedBySignatureCheck(definition: VectorDefinition): boolean {
  return definition.code !== undefined && definition.envelope === undefined;
}

function bodyFields(
  body: BodyDefinition,
): Pick<SignatureVector, 'bodyBase64' | 'bodyTrailingSpaces'> {
  return {
    bodyBase64: Buffer.from(body.bytes).toString('base64'),
    ...(body.trailingSpaces === undefined ? {} : { bodyTrailingSpaces: body.trailingSpaces }),
  };
}
