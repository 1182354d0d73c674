import { listOperations } from '@hookproof/spec/openapi';
import type { Operation } from '@hookproof/spec/openapi';

import { contract } from './contract.ts';
import type { Outgoing } from './message.ts';

interface Route {
  readonly operation: Operation;
  readonly pattern: RegExp;
}

let routes: readonly Route[] | undefined;

/** The operation that a request is for, whatever address the API has; null for another path. */
export function operationOf({ method, url }: Pick<Outgoing, 'method' | 'url'>): Operation | null {
  routes ??= readRoutes();
  const { pathname } = new URL(url);
  const found = routes.find(
    ({ operation, pattern }) => operation.method === method && pattern.test(pathname),
  );
  return found?.operation ?? null;
}

/** Operations with more literal segments first, so that no template hides a literal path. */
function readRoutes(): Route[] {
  return listOperations(contract())
    .map((operation) => ({ operation, pattern: patternOf(operation) }))
    .toSorted((one, other) => parameters(one) - parameters(other));
}

function parameters({ operation }: Route): number {
  return operation.path.split('{').length;
}

/** The path may follow the path of the base address. Only a last parameter can contain slashes. */
function patternOf({ path }: Operation): RegExp {
  const segments = path.split('/').map((segment, index, all) => {
    if (!segment.startsWith('{')) return segment.replaceAll('.', '\\.');
    return segment === '{path}' && index === all.length - 1 ? '.+' : '[^/]+';
  });
  // `/api/v1/…` also ends with `/v1/…`.
  const prefix = path.startsWith('/api/') ? '' : '(?<!/api)';
  return new RegExp(`${prefix}${segments.join('/')}$`);
}
