import { jsonText, readYaml } from './step.ts';
import type { Step } from './step.ts';

/** How `control.yaml` refers to a schema of `openapi.yaml`; `companions.yaml` lies in another folder. */
export const SCHEMA_OF_CONTRACT = 'openapi.yaml#/components/schemas/';

const OWN_SCHEMA = '#/components/schemas/';

type Schemas = Readonly<Record<string, unknown>>;

/** Generates the JSON copy of `openapi.yaml`, so that no YAML parser is needed at run time. */
export const openapiJson: Step = {
  output: 'generated/openapi.json',
  async render(specFolder) {
    return jsonText(await readYaml(specFolder, 'openapi.yaml'));
  },
};

const COMPANIONS = '../server-reference/companions.yaml';

/** Generates the document of the reference server: the contract, and the companions with a mark. */
export const serverJson: Step = {
  output: '../server-reference/generated/openapi.json',
  async render(specFolder) {
    const contract = asDocument(await readYaml(specFolder, 'openapi.yaml'));
    const companions = asDocument(await readYaml(specFolder, COMPANIONS));
    const paths = { ...contract.paths };
    for (const [path, item] of Object.entries(companions.paths)) {
      const marked = Object.entries(item).map(([method, operation]) => [
        method,
        { 'x-companion': true, ...operation },
      ]);
      paths[path] = { ...paths[path], ...Object.fromEntries(marked) };
    }
    const components = { ...contract.components };
    for (const [kind, own] of Object.entries(companions.components)) {
      components[kind] = withoutTwins({ ...components[kind] }, own);
    }
    return jsonText({ ...contract, paths, components }).replaceAll('"../spec/openapi.yaml#', '"#');
  },
};

function withoutTwins(contract: Schemas, companions: Schemas): Schemas {
  const twin = Object.keys(companions).find((name) => name in contract);
  if (twin === undefined) return { ...contract, ...companions };
  throw new TypeError(`companions.yaml: openapi.yaml has a component ${twin} too. Rename it.`);
}

/** Generates a self-contained JSON copy of `control.yaml`, with the schemas that it uses from `openapi.yaml`. */
export const controlJson: Step = {
  output: 'generated/control.json',
  async render(specFolder) {
    const control = asDocument(await readYaml(specFolder, 'control.yaml'));
    const contract = asDocument(await readYaml(specFolder, 'openapi.yaml'));
    const { components } = control;
    const schemas = {
      ...components.schemas,
      ...borrowed(control, contract.components.schemas, components.schemas),
    };
    const document = { ...control, components: { ...components, schemas } };
    return jsonText(document).replaceAll(`"${SCHEMA_OF_CONTRACT}`, `"${OWN_SCHEMA}`);
  },
};

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: { readonly schemas: Schemas; readonly [kind: string]: Schemas };
}

function asDocument(parsed: unknown): Document {
  return JSON.parse(JSON.stringify(parsed));
}

/** Returns the schemas of the contract that a document refers to, directly or through other schemas. */
function borrowed(document: unknown, contract: Schemas, own: Schemas): Schemas {
  const found: Record<string, unknown> = {};
  const take = (name: string): void => {
    if (name in found) return;
    if (name in own)
      throw new TypeError(
        `control.yaml: the schema ${name} has the same name as a schema of openapi.yaml. Rename it.`,
      );
    if (!(name in contract))
      throw new TypeError(
        `control.yaml refers to the schema ${name}, which openapi.yaml does not define.`,
      );
    found[name] = contract[name];
    for (const next of referredTo(contract[name], OWN_SCHEMA)) take(next);
  };
  for (const name of referredTo(document, SCHEMA_OF_CONTRACT)) take(name);
  return found;
}

function referredTo(value: unknown, prefix: string): string[] {
  const references = JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g);
  return [...references].flatMap(([, ref = '']) =>
    ref.startsWith(prefix) ? [ref.slice(prefix.length)] : [],
  );
}
