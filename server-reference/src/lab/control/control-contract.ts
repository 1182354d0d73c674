import { listControlOperations, loadControl } from '@hookproof/spec/control';
import type { ControlOperation } from '@hookproof/spec/control';
import type { ParameterObject } from '@hookproof/spec/openapi';

import { schemaChecks } from '../../http/schema.ts';
import type { SchemaCheck, SchemaChecks } from '../../http/schema.ts';

/** What a request of an operation of the control interface must fulfil. */
export interface ControlChecks {
  /** The parameters of the query. */
  readonly filters: readonly ParameterObject[];
  /** Checks the values of the query. */
  readonly query: SchemaCheck;
  /** Null for an operation without a body. */
  readonly body: SchemaCheck | null;
}

/** An operation of the control interface as the lab serves it. */
export interface ServedOperation extends ControlChecks {
  readonly method: ControlOperation['method'];
  /** The path for the route table. */
  readonly route: string;
}

const CONTROL = loadControl();

/** All operations as `control.yaml` describes them. */
export const DOCUMENTED: readonly ControlOperation[] = listControlOperations(CONTROL);

/** All operations by `operationId`. All servers of a process share them, because compiling takes long. */
export const CONTROL_OPERATIONS: ReadonlyMap<string, ServedOperation> = readControl();

function readControl(): Map<string, ServedOperation> {
  const checkOf = schemaChecks(CONTROL);
  return new Map(
    DOCUMENTED.map((operation) => [
      operation.operationId,
      {
        method: operation.method,
        route: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        ...checksOf(operation, checkOf),
      },
    ]),
  );
}

function checksOf(
  { parameters, requestBody }: ControlOperation,
  checkOf: SchemaChecks,
): ControlChecks {
  const filters = parameters.filter((one) => one.in === 'query');
  const schema = requestBody?.content['application/json']?.schema;
  return {
    filters,
    query: checkOf({
      properties: Object.fromEntries(filters.map(({ name, schema: one }) => [name, one])),
    }),
    body: schema === undefined ? null : checkOf(schema),
  };
}
