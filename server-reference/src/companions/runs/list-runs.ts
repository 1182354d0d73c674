import type { RunList } from '@hookproof/spec';

import { findAutomation, lookUpAutomation } from '../../api/automations/automation.ts';
import { DEFAULT_LIMIT } from '../../api/paging.ts';
import type { Paging } from '../../api/paging.ts';
import { presentRunRow } from '../../api/runs/present-run.ts';
import type { Handler, Services } from '../../api/services.ts';
import type { AutomationId, RunId, TenantId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { RunRecord } from '../../store/runs.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { recordsOf } from '../../store/table.ts';
import { comparePositions, readCursor, SORTS, writeCursor } from './run-cursor.ts';
import type { Position, RunOrder } from './run-cursor.ts';
import { readRunFilter } from './run-filter.ts';
import type { RunFilter, RunQuery } from './run-filter.ts';

interface RunsQuery extends Paging, RunQuery {
  /** Ids or aliases, separated by commas. Unknown ones select no run. */
  readonly source?: string;
  /** Ids or aliases, separated by commas. Each must exist. */
  readonly automationId?: string;
  readonly cursor?: string;
  readonly sort?: string;
  readonly order?: string;
}

/** `GET /v1/runs`: the runs of the tenant, of every origin, without their outputs. */
export function listRuns({ store, clock }: Services): Handler<RunsQuery> {
  return async function handle({ key: { tenantId }, query }): Promise<RunList> {
    const { state } = store;
    const cursor = query.cursor === undefined ? null : readCursor(query.cursor);
    const order = cursor ?? { ...readOrder(query), latest: END_OF_TIME, begunAt: clock.now() };
    const sources = readSources(state, tenantId, query);
    const filter = readRunFilter(state, query, sources, order.begunAt);
    const ids = listIds(state, tenantId, filter, order);
    const { limit = DEFAULT_LIMIT } = query;
    const offset = cursor === null ? (query.offset ?? 0) : indexBehind(state, ids, cursor);
    const page = ids.slice(offset, offset + limit);
    const last = page.at(-1);
    const hasMore = last !== undefined && offset + page.length < ids.length;
    return {
      runs: recordsOf(page, state.runs).map((run) => presentRunRow(state, run)),
      nextCursor: hasMore
        ? writeCursor(positionOf(state, orderOfNextPages(state, order, ids), last))
        : null,
      total: ids.length,
      limit,
      offset,
    };
  };
}

/** An order that stays the same on all pages: a run that ends meanwhile stays where it was, and `now` is when the list began. */
type BegunOrder = RunOrder & Pick<Position, 'latest' | 'begunAt'>;

/** After every time. */
const END_OF_TIME = '~';

/**
 * Returns the order for a cursor. The first page of a list by a time that can still be set decides which time
 * is the latest.
 */
function orderOfNextPages(
  state: ReadonlyState,
  order: BegunOrder,
  ids: readonly RunId[],
): BegunOrder {
  if (order.latest !== END_OF_TIME || order.sort === 'createdAt') return order;
  const newest = order.order === 'desc' ? ids[0] : ids.at(-1);
  return { ...order, latest: sortValueOf(state, order, newest ?? '') };
}

function sortValueOf({ runs }: ReadonlyState, { sort, latest }: BegunOrder, id: string): string {
  const value = runs.get(id)?.[sort] ?? '';
  return value <= latest ? value : '';
}

/** Reads the order. Unknown words select the default. */
function readOrder({ sort, order }: RunsQuery): RunOrder {
  return {
    sort: SORTS.find((name) => name === sort) ?? 'createdAt',
    order: order === 'asc' ? 'asc' : 'desc',
  };
}

/** Returns the ids of the automations whose runs are listed; null for all. */
function readSources(
  state: ReadonlyState,
  tenantId: TenantId,
  { source, automationId }: RunsQuery,
): ReadonlySet<AutomationId> | null {
  if (automationId !== undefined) {
    const named = automationId.split(',').map((text) => text.trim());
    return new Set(named.map((text) => findAutomation(state, tenantId, text, 'automationId').id));
  }
  if (source === undefined) return null;
  const named = source.split(',').map((text) => lookUpAutomation(state, tenantId, text.trim()));
  return new Set(named.flatMap((automation) => automation?.id ?? []));
}

/** Returns the ids of a list. */
function listIds(
  state: ReadonlyState,
  tenantId: TenantId,
  filter: RunFilter,
  order: BegunOrder,
): readonly RunId[] {
  const all = state.listed.runs.of(tenantId);
  const { from, to } = filter.created;
  const first = firstIndex(all, (id) => createdAt(state, id) <= to);
  const end = firstIndex(all, (id) => createdAt(state, id) < from);
  const isStoredOrder = order.sort === 'createdAt' && order.order === 'desc';
  if (filter.selectsAll && isStoredOrder) {
    return first === 0 && end === all.length ? all : all.slice(first, end);
  }
  const runs: DeepReadonly<RunRecord>[] = [];
  for (let index = first; index < end; index += 1) {
    const run = state.runs.get(all[index] ?? '');
    if (run !== undefined && filter.selects(run)) runs.push(run);
  }
  const ids = runs.map(({ id }) => id);
  if (isStoredOrder) return ids;
  if (order.sort === 'createdAt') return ids.toReversed();
  const positions = runs.map((run) => ({ id: run.id, value: sortValueOf(state, order, run.id) }));
  return positions.toSorted((a, b) => comparePositions(order, a, b)).map(({ id }) => id);
}

function positionOf(state: ReadonlyState, order: BegunOrder, id: string): Position {
  return { ...order, value: sortValueOf(state, order, id), id };
}

function createdAt({ runs }: ReadonlyState, id: string): string {
  return runs.get(id)?.createdAt ?? '';
}

/** Returns the index of the first id behind a position, whether or not the run of the position still exists. */
function indexBehind(state: ReadonlyState, ids: readonly string[], position: Position): number {
  return firstIndex(
    ids,
    (id) => comparePositions(position, positionOf(state, position, id), position) > 0,
  );
}

/** Returns the index of the first id for which a test holds; it holds for all ids behind it too. */
function firstIndex(ids: readonly string[], isReached: (id: string) => boolean): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(ids[middle] ?? '')) high = middle;
    else low = middle + 1;
  }
  return low;
}
