import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import type { OpenApiDocument, Operation, ParameterObject } from '@hookproof/spec/openapi';

import { readFormShape } from '../http/form-shape.ts';
import type { FormShape } from '../http/form-shape.ts';
import { schemaChecks } from '../http/schema.ts';
import type { SchemaCheck, SchemaChecks } from '../http/schema.ts';
import { loadServerDocument } from './server-document.ts';

/** An operation as the document describes it and the app serves it. */
interface DocumentedOperation {
  readonly operationId: string;
  readonly method: Operation['method'];
  /** The path for the route table. */
  readonly route: string;
  /** The status of a JSON response. */
  readonly successStatus: number;
  readonly checks: RequestChecks;
}

/** What a request of an operation must fulfil. */
export interface RequestChecks {
  /** The parameters of the query. */
  readonly parameters: readonly ParameterObject[];
  /** Checks the values of the query. */
  readonly query: SchemaCheck;
  /** Null for an operation without a JSON body. */
  readonly json: JsonChecks | null;
  /** Null for an operation without a form. */
  readonly form: { readonly shape: FormShape; readonly check: SchemaCheck } | null;
}

export interface JsonChecks {
  readonly check: SchemaCheck;
  readonly isRequired: boolean;
  /** The body may be larger than the limit of the server by this factor. */
  readonly limitFactor: number;
}

let operations: readonly DocumentedOperation[] | undefined;

/**
 * Returns all operations, companions included. All servers of a process share them, because to read the
 * document and to compile its schemas takes longer than the rest of a start.
 */
export function documentedOperations(): readonly DocumentedOperation[] {
  operations ??= readDocument(loadServerDocument());
  return operations;
}

function readDocument(document: OpenApiDocument): DocumentedOperation[] {
  const checkOf = schemaChecks(document);
  return [...listOperations(document), ...listCompanions(document)].map((operation) => ({
    operationId: operation.operationId,
    method: operation.method,
    route: routeOf(operation),
    successStatus: successStatus(operation),
    checks: checksOf(operation, document, checkOf),
  }));
}

/** A parameter with `x-slash-delimited` matches several segments. */
function routeOf({ path, parameters }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const wide = parameters.some((one) => one.name === name && one['x-slash-delimited'] === true);
    return wide ? `*${name}` : `:${name}`;
  });
}

/** The 2xx status of the OpenAPI document, or the server's choice where the contract leaves it open. */
function successStatus({ responses }: Operation): number {
  const chosen = responses['2XX']?.['x-reference-status'];
  return chosen ?? Number(Object.keys(responses).find((status) => /^2\d\d$/.test(status)) ?? 200);
}

function checksOf(
  { parameters: all, requestBody }: Operation,
  document: OpenApiDocument,
  checkOf: SchemaChecks,
): RequestChecks {
  const parameters = all.filter((one) => one.in === 'query');
  const json = requestBody?.content['application/json']?.schema;
  const form = requestBody?.content['multipart/form-data']?.schema;
  return {
    parameters,
    query: checkOf({
      type: 'object',
      properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
    }),
    json:
      json === undefined
        ? null
        : {
            check: checkOf(json),
            isRequired: requestBody?.required !== false,
            limitFactor: requestBody?.['x-body-limit-factor'] ?? 1,
          },
    form:
      form === undefined ? null : { shape: readFormShape(form, document), check: checkOf(form) },
  };
}
