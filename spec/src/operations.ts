import type {
  HeaderObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  PathItemObject,
  Reference,
  RequestBodyObject,
  ResponseObject,
} from './openapi-document.ts';

/** An operation whose references to parameters, responses and headers are resolved. */
export interface ResolvedOperation {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path template, such as `/v1/files/{id}`. */
  readonly path: string;
  readonly parameters: readonly ParameterObject[];
  readonly requestBody: RequestBodyObject | undefined;
  /** Responses by status: `200`, a range such as `2XX`, or `default`. */
  readonly responses: Readonly<Record<string, ResolvedResponse>>;
}

/** One operation of the API. */
export interface Operation extends ResolvedOperation {
  /** URL that the path is appended to: `base` for `/v1/...`, `app` for `/api/v1/...`. */
  readonly address: 'base' | 'app';
  /** Scopes that the contract requires. Empty if it names none. */
  readonly scopes: readonly string[];
}

/** A response whose headers are resolved. */
export type ResolvedResponse = Omit<ResponseObject, 'headers'> & {
  readonly headers: Readonly<Record<string, HeaderObject>>;
};

const METHODS = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
} as const;

/**
 * Lists the operations of the contract, in the order of the document. References to schemas are kept.
 *
 * @example
 * ```ts
 * import { listOperations, loadOpenApi } from '@hookproof/spec/openapi';
 *
 * for (const { method, path, scopes } of listOperations(loadOpenApi())) {
 *   console.log(method, path, scopes.join(' '));
 * }
 * ```
 */
export function listOperations(document: OpenApiDocument): Operation[] {
  return list(document, (operation) => operation['x-companion'] !== true);
}

/**
 * Lists the companion operations of a document of the reference server, which the contract does not describe.
 *
 * @example
 * ```ts
 * import { listCompanions } from '@hookproof/spec/openapi';
 *
 * const document = await (await fetch('http://127.0.0.1:4010/openapi.json')).json();
 * console.log(listCompanions(document).map(({ method, path }) => `${method} ${path}`));
 * ```
 */
export function listCompanions(document: OpenApiDocument): Operation[] {
  return list(document, (operation) => operation['x-companion'] === true);
}

function list(document: OpenApiDocument, isWanted: (one: OperationObject) => boolean): Operation[] {
  const place = (operation: OperationObject, resolved: ResolvedOperation): Operation => ({
    ...resolved,
    address: resolved.path.startsWith('/api/') ? 'app' : 'base',
    scopes: (operation.security ?? document.security)
      .flatMap((requirement) => Object.values(requirement))
      .flat(),
  });
  return resolveOperations(document)
    .filter(([operation]) => isWanted(operation))
    .map(([operation, resolved]) => place(operation, resolved));
}

/** Lists the operations of a document in its order, each as written and resolved. */
export function resolveOperations({
  paths,
  components,
}: Pick<OpenApiDocument, 'paths' | 'components'>): [OperationObject, ResolvedOperation][] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methodsOf(item).map(([method, operation]): [OperationObject, ResolvedOperation] => [
      operation,
      resolveOperation(components, path, method, operation),
    ]),
  );
}

function resolveOperation(
  components: OpenApiDocument['components'],
  path: string,
  method: Operation['method'],
  operation: OperationObject,
): ResolvedOperation {
  return {
    operationId: operation.operationId,
    method,
    path,
    parameters: (operation.parameters ?? []).map((one) => resolve(components.parameters, one)),
    requestBody: operation.requestBody,
    responses: mapValues(operation.responses, (one) => {
      const response = resolve(components.responses, one);
      const headers = mapValues(response.headers ?? {}, (header) =>
        resolve(components.headers, header),
      );
      return { ...response, headers };
    }),
  };
}

function methodsOf(item: PathItemObject): [Operation['method'], OperationObject][] {
  const keys = ['get', 'post', 'put', 'patch', 'delete'] as const;
  return keys.flatMap((key) => {
    const operation = item[key];
    return operation ? [[METHODS[key], operation]] : [];
  });
}

function resolve<T extends object>(components: Readonly<Record<string, T>>, one: T | Reference): T {
  if (!('$ref' in one)) return one;
  const found = components[one.$ref.slice(one.$ref.lastIndexOf('/') + 1)];
  if (found === undefined) throw new TypeError(`the document has no component ${one.$ref}`);
  return found;
}

function mapValues<In, Out>(
  record: Readonly<Record<string, In>>,
  change: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
