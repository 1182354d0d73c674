import { prepareVector } from '@hookproof/spec/vectors';
import type {
  SignatureVector,
  SignatureVectorGroup,
  SignatureVectors,
} from '@hookproof/spec/vectors';
import type { Step } from './step.ts';
import { acceptedBodyVectors, changedBodyVectors, envelopeVectors } from './vectors/body.ts';
import { DEFAULT_TIMESTAMP, bodyOf, eventIdOf, headersOf } from './vectors/definition.ts';
import type { BodyDefinition, VectorDefinition } from './vectors/definition.ts';
import { headerVectors } from './vectors/headers.ts';
import { notes } from './vectors/notes.ts';
import { keyVectors, mismatchVectors, signatureFormVectors } from './vectors/signature.ts';
import { notATimestampVectors, spellingVectors, toleranceVectors } from './vectors/timestamp.ts';
import { validVectors } from './vectors/valid.ts';

const SECRET = 'whsec_aG9va3Byb29mIHZlY3RvcnMsIG5vdCBhIHJlYWwgc2VjcmV0';
/** 2026-07-01T12:00:00Z. */
const NOW = 1_782_907_200;

/** The signature vectors, from the case definitions in `vectors/`. */
export const signatureVectors: Step = {
  output: 'vectors/signature.json',
  render() {
    return Promise.resolve(canonicalText(assemble()));
  },
};

function assemble(): SignatureVectors {
  const groups = [
    group(
      'accepted',
      'Right deliveries, and what else no signature check can refuse.',
      validVectors,
    ),
    group('headers', 'The three headers, missing, repeated or malformed.', headerVectors),
    group('tolerance', 'The distance of the timestamp from the present.', toleranceVectors),
    group(
      'timestamp-spelling',
      'The present in spellings that only lax parsers read.',
      spellingVectors,
    ),
    group('timestamp-form', 'Timestamps that are no seconds at all.', notATimestampVectors),
    group('signature-form', 'Signatures without the right form.', signatureFormVectors),
    group('signature-mismatch', 'Right in form, but made of something else.', mismatchVectors),
    group('key', 'Keys that are not the secret of the endpoint.', keyVectors),
    group(
      'body-accepted',
      'Right bodies that need their bytes verified as they are.',
      acceptedBodyVectors,
    ),
    group('body-changed', 'Bodies that were changed after signing.', changedBodyVectors),
    group('envelope', 'Authentic bodies that are no event, or another one.', envelopeVectors),
  ];
  return {
    about:
      'Deliveries of signed webhook events and what a receiver must make of them. How to use this file: README.md ' +
      'beside it. Its form: signature.schema.json. Made by `npm run generate` from spec/generate/vectors.',
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

/** Two blanks a level, lists of strings on one line, nothing but ASCII, a line feed at the end. */
function canonicalText(value: SignatureVectors): string {
  const text = JSON.stringify(value, null, 2)
    .replaceAll(
      /\[\s+("(?:[^"\\]|\\.)*"(?:,\s+"(?:[^"\\]|\\.)*")*)\s+\]/g,
      (_, items: string) => `[${items.replaceAll(/,\n\s+/g, ', ')}]`,
    )
    .replaceAll(
      /[\u007f-\uffff]/g,
      (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  return `${text}\n`;
}
