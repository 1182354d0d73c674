/**
 * The pages, in the order of the rail. A page is a folder beside this file, `pages/<name>/`, that exports one
 * {@link Page}: list it here and nothing else is needed. It reads `address` for its row and filters, shows rows with
 * `useRows`, `List` and `Split`, a row with `Detail`, and binds keys with `useKeys`. Calls of the control interface are
 * functions in `control/operations.ts`.
 */
import { deliveries } from './deliveries/page.tsx';
import type { Page } from '../parts/page.tsx';
import { placeholder } from './placeholder.tsx';

export const PAGES: readonly Page[] = [
  deliveries,
  placeholder('runs', 'Runs', 'r'),
  placeholder('endpoints', 'Endpoints', 'e'),
  placeholder('requests', 'Requests', 'q'),
  placeholder('faults', 'Faults', 'f'),
  placeholder('world', 'World', 'w'),
];
