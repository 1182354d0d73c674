import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { loadServerDocument } from '../../server-reference/src/api/server-document.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats.default(ajv);
ajv.addVocabulary(['x-freedom', 'x-reference-constraints', 'discriminator']);
ajv.addSchema(withReferences({ $id: 'contract', $defs: loadServerDocument().components.schemas }));

function withReferences(schema: object): object {
  const text = JSON.stringify(schema);
  return JSON.parse(text.replaceAll('"#/components/schemas/', '"contract#/$defs/'));
}

/**
 * Compiles a schema that can refer to `#/components/schemas/...` of the contract. An unknown keyword
 * throws.
 */
export function compileSchema(schema: object): ValidateFunction {
  return ajv.compile(withReferences(schema));
}

/** Compiles one entry of `components.schemas`. */
export function compileComponent(name: string): ValidateFunction {
  return compileSchema({ $ref: `#/components/schemas/${name}` });
}
