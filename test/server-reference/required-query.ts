import type { Operation } from '@hookproof/spec/openapi';

/** The query with the parameters that an operation requires and a `?`, with the examples of the document; else ''. */
export function requiredQuery({ parameters }: Pick<Operation, 'parameters'>): string {
  const required = parameters.filter((one) => one.in === 'query' && one.required === true);
  const query = new URLSearchParams(required.map(({ name, example }) => [name, String(example)]));
  return query.size === 0 ? '' : `?${query}`;
}
