import type { SignatureVector } from '@hookproof/spec/vectors';

/**
 * The vector with letters and digits only after `whev_`: a receiver may refuse an id with a hyphen, and no vector of a
 * check is about that.
 */
export function withPlainId(vector: SignatureVector): SignatureVector {
  const { recipe, signed, bodyBase64 } = vector;
  return {
    ...vector,
    bodyBase64: plainBody(bodyBase64),
    signed: {
      ...signed,
      ...(signed.bodyBase64 === undefined ? {} : { bodyBase64: plainBody(signed.bodyBase64) }),
    },
    recipe: {
      ...recipe,
      signedId: plain(recipe.signedId),
      headers: recipe.headers.map(([name, value]) => [name, plain(value)]),
    },
  };
}

/** One character is one octet, so that the other bytes stay. */
function plainBody(base64: string): string {
  const text = Buffer.from(base64, 'base64').toString('latin1');
  return Buffer.from(plain(text), 'latin1').toString('base64');
}

function plain(text: string): string {
  return text.replaceAll(/whev_[a-z0-9-]+/g, (id) => id.replaceAll('-', ''));
}
