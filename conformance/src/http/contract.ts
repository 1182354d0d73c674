import { listOperations, loadOpenApi } from '@hookproof/spec/openapi';
import type { OpenApiDocument, Operation } from '@hookproof/spec/openapi';

let document: OpenApiDocument | undefined;

/** The contract as an OpenAPI document, read once. */
export function contract(): OpenApiDocument {
  return (document ??= loadOpenApi());
}

let operations: ReadonlyMap<string, Operation> | undefined;

/** An operation of the contract. Throws `TypeError` for an unknown id. */
export function operationWithId(operationId: string): Operation {
  operations ??= new Map(listOperations(contract()).map((one) => [one.operationId, one]));
  const found = operations.get(operationId);
  if (found === undefined) throw new TypeError(`the contract has no operation ${operationId}`);
  return found;
}

/** The path of an operation with these parameters. Slashes in a file path separate its parts. */
export function pathOf(operationId: string, parameters: Readonly<Record<string, string>>): string {
  return operationWithId(operationId).path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = parameters[name] ?? '';
    return name === 'path'
      ? value.split('/').map(encodeURIComponent).join('/')
      : encodeURIComponent(value);
  });
}
