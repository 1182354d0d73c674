import type { ParameterObject } from '@hookproof/spec/openapi';

import { issue } from './api-error.ts';
import type { ApiIssue } from './api-error.ts';

/** The query parameters that an operation knows, turned into what their schemas speak of. */
export interface Query {
  readonly values: Readonly<Record<string, string | number | boolean>>;
  readonly issues: readonly ApiIssue[];
}

const INTEGER = /^(0|-?[1-9][0-9]*)$/;

/** Reads a query by its parameters. Names that the operation does not know are passed over. */
export function readQuery(text: string, parameters: readonly ParameterObject[]): Query {
  const given = new URLSearchParams(text);
  const values: Record<string, string | number | boolean> = {};
  const issues: ApiIssue[] = [];
  for (const { name, schema } of parameters) {
    const all = given.getAll(name);
    const [value] = all;
    if (value === undefined) continue;
    const read = all.length === 1 ? readValue(value, schema['type']) : undefined;
    if (read !== undefined) values[name] = read;
    else if (all.length > 1) issues.push(issue('invalid_value', name, 'is given more than once'));
    else
      issues.push(issue('invalid_value', name, EXPECTED[String(schema['type'])] ?? 'is not valid'));
  }
  return { values, issues };
}

const EXPECTED: Readonly<Record<string, string>> = {
  integer: 'must be a whole number in plain decimal digits',
  boolean: 'must be true or false',
};

function readValue(value: string, type: unknown): string | number | boolean | undefined {
  if (type === 'integer') return INTEGER.test(value) ? Number(value) : undefined;
  if (type === 'boolean') return value === 'true' || (value === 'false' ? false : undefined);
  return value;
}
