import { controlJson, openapiJson, serverJson } from './types/documents.ts';
import { jsonText } from './types/step.ts';
import type { Step } from './types/step.ts';

/**
 * Generates `openapi.yaml` in the form for tools: one document without references to other files, for each
 * response the status, media type and schema that the reference server sends, and for each request what it checks.
 */
export const bundledOpenapi: Step = bundleOf(
  openapiJson,
  'generated/bundled-openapi.json',
  `The operations of an automation platform, in the form for generators of clients. Each response has the
status, media type and schema that the reference server sends, and each request has the constraints that it
checks. The contract leaves some of them open, so another deployment can differ: see \`openapi.yaml\`.`,
);

/** Generates the document of the reference server in the same form: with the companions. */
export const bundledServer: Step = bundleOf(
  serverJson,
  '../server-reference/generated/bundled-openapi.json',
  `The operations of the reference server, in the form for generators of clients. Each response has the
status, media type and schema that the server sends, and each request has the constraints that it checks.
Operations with \`x-companion: true\` are not part of the contract: another deployment may not have them.`,
);

/** Generates `control.yaml` in the same form. */
export const bundledControl: Step = bundleOf(controlJson, 'generated/bundled-control.json', null);

function bundleOf(copy: Step, output: string, description: string | null): Step {
  return {
    output,
    async render(specFolder) {
      const document = asObject(JSON.parse(await copy.render(specFolder)));
      const info = asObject(document['info']);
      const bundle = {
        ...document,
        info: description === null ? info : { ...info, description },
        servers: [plainServer(document['servers'])],
        ...withPaths(document, 'paths'),
        ...withPaths(document, 'webhooks'),
      };
      return jsonText(JSON.parse(JSON.stringify(bundle), bundledValue));
    },
  };
}

type Properties = Readonly<Record<string, unknown>>;

function withPaths(document: Properties, name: string): Properties {
  if (!(name in document)) return {};
  const items = mapValues(asObject(document[name]), (item) => bundledItem(document, item));
  return { [name]: items };
}

/** The first server with the default value of its variable. Generators keep variables as text. */
function plainServer(servers: unknown): Properties {
  const [first] = Array.isArray(servers) ? servers : [];
  const { url, description, variables } = asObject(first);
  const plain = Object.entries(asObject(variables)).reduce(
    (text, [name, variable]) => text.replace(`{${name}}`, String(asObject(variable)['default'])),
    String(url),
  );
  return { url: plain, description };
}

/** Every address of the reference server serves all paths, so paths have no servers of their own. */
function bundledItem(document: Properties, item: unknown): Properties {
  const operations = Object.entries(asObject(item)).filter(([name]) => name !== 'servers');
  return mapValues(Object.fromEntries(operations), (operation) => {
    const { responses, 'x-reference-ranges': ranges, ...others } = asObject(operation);
    const concrete = concreteResponses(document, asObject(responses));
    return { ...others, responses: ranges === true ? withRanges(concrete) : concrete };
  });
}

/** `default` is left out: the reference server sends no status that is not listed. */
function concreteResponses(document: Properties, responses: Properties): Properties {
  const concrete: Record<string, unknown> = {};
  for (const [status, response] of Object.entries(responses)) {
    if (status === 'default') continue;
    const { $ref } = asObject(response);
    const isReference = typeof $ref === 'string';
    const resolved = asObject(isReference ? lookUp(document, $ref) : response);
    const own = resolved['x-reference-status'];
    const chosen = typeof own === 'number' ? `${own}` : status.replace('XX', '00');
    concrete[chosen] = isReference ? response : concreteResponse(resolved);
  }
  return concrete;
}

function withRanges(responses: Properties): Properties {
  return {
    ...responses,
    '206': { ...asObject(responses['200']), description: 'The requested range of the content.' },
    '416': { $ref: '#/components/responses/OtherError' },
  };
}

function concreteResponse(response: Properties): Properties {
  const {
    content,
    'x-reference-status': _status,
    'x-reference-media-type': type = '*/*',
    'x-reference-schema': schema,
    ...others
  } = response;
  if (content === undefined) return others;
  const entries = Object.entries(asObject(content)).map(([name, value]) => {
    if (name === '*/*') return [String(type), { schema: BINARY }];
    const $ref = `#/components/schemas/${String(schema)}`;
    return [name, schema === undefined ? value : { ...asObject(value), schema: { $ref } }];
  });
  return { ...others, content: Object.fromEntries(entries) };
}

const BINARY = { type: 'string', format: 'binary' };

/** Puts the constraints of the reference server in place. Generators know binary content by `format`. */
function bundledValue(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { 'x-reference-constraints': constraints = {}, ...others } = asObject(value);
  const { contentMediaType, ...constrained } = { ...others, ...asObject(constraints) };
  return contentMediaType === undefined ? constrained : { ...constrained, ...BINARY };
}

function lookUp(document: Properties, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((value, step) => asObject(value)[step], document);
}

function mapValues(values: Properties, change: (value: unknown) => unknown): Properties {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

function asObject(value: unknown): Properties {
  if (typeof value !== 'object' || value === null)
    throw new TypeError(`An object must stand here, got ${JSON.stringify(value)}.`);
  return { ...value };
}
