import { posix } from 'node:path';

import { compile } from 'json-schema-to-typescript';
import type { JSONSchema } from 'json-schema-to-typescript';
import { SCHEMA_OF_CONTRACT } from './documents.ts';
import { readYaml } from './step.ts';
import type { Step } from './step.ts';

/** The schema of a run event and every schema that it refers to. */
const RUN_EVENT_SCHEMAS = [
  'AutomationType',
  'RunStatus',
  'RunSnapshot',
  'RunCreatedEvent',
  'RunStatusChangedEvent',
  'RunEvent',
];
const ROOT = 'GeneratedRoot';
const ROOT_TYPE = /export interface GeneratedRoot \{[^}]*\}\n/;
const ROOT_REMARK =
  /(\n \*)*\n \* This interface was referenced by `GeneratedRoot`'s JSON-Schema\n.*"\./g;

/** Generates one TypeScript type for each entry of `components.schemas`, with the same name. */
export const types: Step = {
  output: 'src/generated/types.ts',
  render: async (specFolder) => compileTypes(specFolder, 'openapi.yaml'),
};

/** Generates the types of `control.yaml`. Types of `openapi.yaml` are imported. */
export const controlTypes: Step = {
  output: 'src/generated/control-types.ts',
  render: async (specFolder) => compileTypes(specFolder, 'control.yaml'),
};

/** Generates the types of the companions. Types of `openapi.yaml` are imported. */
export const companionTypes: Step = {
  output: '../server-reference/src/generated/companions.ts',
  render: async (specFolder) => compileTypes(specFolder, '../server-reference/companions.yaml'),
};

/** Generates the types of run events for the receiver, which depends on no other package. */
export const receiverTypes: Step = {
  output: '../receiver/src/generated/run-events.ts',
  render: async (specFolder) => compileTypes(specFolder, 'openapi.yaml', RUN_EVENT_SCHEMAS),
};

/** Compiles the schemas of one document: all of them, or those that `only` names. */
async function compileTypes(
  specFolder: URL,
  name: string,
  only?: readonly string[],
): Promise<string> {
  const imported = new Set<string>();
  const schema = rootSchema(await readYaml(specFolder, name), imported, only);
  const names = [...imported].toSorted().join(', ');
  const module = name === 'control.yaml' ? './types.ts' : '@hookproof/spec';
  const imports = imported.size === 0 ? '' : `import type { ${names} } from '${module}';\n`;
  const text = await compile(schema, ROOT, {
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    bannerComment: `// Generated from ${posix.join('spec', name)} by \`npm run ${only === undefined ? 'build' : 'generate'}\`. Do not edit.\n${imports}`,
    unreachableDefinitions: true,
  });
  return text.replace(ROOT_TYPE, '').replaceAll(ROOT_REMARK, '');
}

function rootSchema(
  document: unknown,
  imported: Set<string>,
  only: readonly string[] | undefined,
): JSONSchema {
  const { components } = JSON.parse(JSON.stringify(document));
  const schemas = Object.entries<unknown>(components.schemas).filter(
    ([name]) => only === undefined || only.includes(name),
  );
  const text = JSON.stringify(Object.fromEntries(schemas), (_key, value: unknown) =>
    typeOfAnyValue(typeOfContract(value, imported)),
  );
  return { definitions: JSON.parse(text.replaceAll('#/components/schemas/', '#/definitions/')) };
}

function typeOfContract(value: unknown, imported: Set<string>): unknown {
  const isReference = typeof value === 'object' && value !== null && '$ref' in value;
  const ref = isReference ? String(value.$ref).replace(/^\.\.\/spec\//, '') : '';
  if (!ref.startsWith(SCHEMA_OF_CONTRACT)) return value;
  const name = ref.slice(SCHEMA_OF_CONTRACT.length);
  imported.add(name);
  return { tsType: name };
}

// A schema with only a description accepts any value, but the compiler would generate an object type.
function typeOfAnyValue(value: unknown): unknown {
  const isAnyValue =
    typeof value === 'object' &&
    value !== null &&
    'description' in value &&
    typeof value.description === 'string' &&
    Object.keys(value).length === 1;
  return isAnyValue ? { ...value, tsType: 'unknown' } : value;
}
