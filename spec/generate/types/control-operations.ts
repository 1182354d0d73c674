import { SCHEMA_OF_CONTRACT } from './documents.ts';
import { readYaml } from './step.ts';
import type { Step } from './step.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

/** Generates the type of a client of the control interface: a method for each operation that responds with JSON. */
export const controlOperations: Step = {
  output: 'src/generated/control-operations.ts',
  async render(specFolder) {
    const document: Document = JSON.parse(
      JSON.stringify(await readYaml(specFolder, 'control.yaml')),
    );
    const imports = { own: new Set<string>(), contract: new Set<string>() };
    const methods = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, operation]) => !('text/event-stream' in contentOf(operation)))
        .map(([method, operation]) => methodOf(document, { path, method, operation }, imports)),
    );
    return `// Generated from spec/control.yaml by \`npm run build\`. Do not edit.
import type { ${listOf(imports.own)} } from './control-types.ts';
import type { ${listOf(imports.contract)} } from './types.ts';

/** The operations of the control interface as methods, which take parameters and body in one object. */
export interface ControlOperations {
${methods.join('\n')}
}
`;
  },
};

function listOf(names: ReadonlySet<string>): string {
  return [...names].toSorted().join(', ');
}

type Imports = Readonly<Record<'own' | 'contract', Set<string>>>;

function contentOf({ responses }: Operation): NonNullable<Content['content']> {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return success?.content ?? {};
}

function methodOf(
  { components }: Document,
  { path, method, operation }: { path: string; method: string; operation: Operation },
  imports: Imports,
): string {
  const { operationId, summary, parameters = [], requestBody } = operation;
  const all = parameters.map(({ $ref, ...inline }) =>
    $ref === undefined ? inline : (components.parameters[$ref.split('/').at(-1) ?? ''] ?? inline),
  );
  const members = all.map(
    (one) => `readonly ${one.name}${one.in === 'path' ? '' : '?'}: ${typeOf(one.schema, imports)}`,
  );
  const body = requestBody?.content?.['application/json']?.schema;
  const parts = [
    ...(members.length === 0 ? [] : [`{ ${members.join('; ')} }`]),
    ...(body === undefined ? [] : [typeOf(body, imports)]),
  ];
  const isOptional =
    requestBody?.required !== true && all.every((parameter) => parameter.in !== 'path');
  const request = parts.length === 0 ? '' : `request${isOptional ? '?' : ''}: ${parts.join(' & ')}`;
  const result = contentOf(operation)['application/json']?.schema;
  const response = result === undefined ? 'void' : typeOf(result, imports);
  return `  /** ${summary}. \`${method.toUpperCase()} ${path}\` */
  ${operationId}(${request}): Promise<${response}>;`;
}

function typeOf(
  { $ref = '', anyOf, enum: values, type }: Schema,
  { own, contract }: Imports,
): string {
  const name = $ref.split('/').at(-1) ?? '';
  if (name !== '') {
    ($ref.startsWith(SCHEMA_OF_CONTRACT) ? contract : own).add(name);
    return name;
  }
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(one, { own, contract })).join(' | ');
  if (values !== undefined) return values.map((value) => `'${value}'`).join(' | ');
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'boolean' : 'string';
}
