/**
 * The pages, in the order of the rail. A page is a folder beside this file, `pages/<name>/`, that exports one
 * {@link Page}: list it here and nothing else is needed. It reads `address` for its row and filters, shows rows with
 * `useRows`, `List` and `Split`, a row with `Detail`, and binds keys with `useKeys`. Calls of the control interface are
 * functions in `control/operations.ts`.
 */
import { api } from './api/page.tsx';
import { deliveries } from './deliveries/page.tsx';
import { endpoints } from './endpoints/page.tsx';
import { faults } from './faults/page.tsx';
import { requests } from './requests/page.tsx';
import { runs } from './runs/page.tsx';
import { world } from './world/page.tsx';
import type { Page } from '../parts/page.tsx';

export const PAGES: readonly Page[] = [deliveries, runs, endpoints, requests, api, faults, world];
