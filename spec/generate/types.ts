import { compile } from 'json-schema-to-typescript';
import type { JSONSchema } from 'json-schema-to-typescript';
import { readYaml } from './read-yaml.ts';
import type { Step } from './step.ts';

const NOTICE = '// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.\n';
const ROOT = 'GeneratedRoot';
const ROOT_TYPE = /export interface GeneratedRoot \{[^}]*\}\n/;
const ROOT_REMARK =
  /(\n \*)*\n \* This interface was referenced by `GeneratedRoot`'s JSON-Schema\n.*"\./g;

/** One TypeScript type for each entry of `components.schemas`, under the same name. */
export const types: Step = {
  output: 'src/generated/types.ts',
  async render(specFolder) {
    const text = await compile(rootSchema(await readYaml(specFolder, 'openapi.yaml')), ROOT, {
      additionalProperties: false,
      bannerComment: NOTICE,
      unreachableDefinitions: true,
    });
    return text.replace(ROOT_TYPE, '').replaceAll(ROOT_REMARK, '');
  },
};

function rootSchema(document: unknown): JSONSchema {
  const { components } = JSON.parse(JSON.stringify(document), typeOfAnyValue);
  return {
    definitions: JSON.parse(
      JSON.stringify(components.schemas).replaceAll('#/components/schemas/', '#/definitions/'),
    ),
  };
}

// A schema that says nothing but a description allows any value; the compiler takes it for an object.
function typeOfAnyValue(_key: string, value: unknown): unknown {
  const isAnyValue =
    typeof value === 'object' &&
    value !== null &&
    'description' in value &&
    typeof value.description === 'string' &&
    Object.keys(value).length === 1;
  return isAnyValue ? { ...value, tsType: 'unknown' } : value;
}
