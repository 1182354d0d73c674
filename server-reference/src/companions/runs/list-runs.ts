import type { RunList } from '../../generated/companions.ts';
import { findAutomation, lookUpAutomation } from '../../api/automations/automation.ts';
import { DEFAULT_LIMIT } from '../../api/paging.ts';
import type { Paging } from '../../api/paging.ts';
import { presentRunRow } from '../../api/runs/present-run.ts';
import type { Handler, Services } from '../../api/services.ts';
import type { AutomationId, TenantId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { RunRecord } from '../../store/runs.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { comparePositions, readCursor, SORTS, writeCursor } from './run-cursor.ts';
import type { Position, RunOrder } from './run-cursor.ts';
import { readRunFilter } from './run-filter.ts';
import type { RunQuery } from './run-filter.ts';

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
    const selects = readRunFilter(state, query, sources, order.begunAt);
    const rows = state.runs
      .filter((run) => run.tenantId === tenantId && selects(run))
      .map((run) => ({ run, id: run.id, value: sortValueOf(run, order) }))
      .toSorted((a, b) => comparePositions(order, a, b));
    const { limit = DEFAULT_LIMIT } = query;
    const offset = cursor === null ? (query.offset ?? 0) : indexBehind(rows, cursor);
    const page = rows.slice(offset, offset + limit);
    const last = page.at(-1);
    const hasMore = last !== undefined && offset + page.length < rows.length;
    return {
      runs: page.map(({ run }) => presentRunRow(state, run)),
      nextCursor: hasMore
        ? writeCursor({ ...orderOfNextPages(order, rows), value: last.value, id: last.id })
        : null,
      total: rows.length,
      limit,
      offset,
    };
  };
}

/** An order that stays the same on all pages: a run that ends meanwhile stays where it was, and `now` is when the list began. */
type BegunOrder = RunOrder & Pick<Position, 'latest' | 'begunAt'>;

/** What places a run in a list. */
type Row = Pick<Position, 'id' | 'value'>;

/** After every time. */
const END_OF_TIME = '~';

/**
 * Returns the order for a cursor. The first page of a list by a time that can still be set decides which time
 * is the latest.
 */
function orderOfNextPages(order: BegunOrder, rows: readonly Row[]): BegunOrder {
  if (order.latest !== END_OF_TIME || order.sort === 'createdAt') return order;
  const newest = order.order === 'desc' ? rows[0] : rows.at(-1);
  return { ...order, latest: newest?.value ?? '' };
}

function sortValueOf(run: DeepReadonly<RunRecord>, { sort, latest }: BegunOrder): string {
  const value = run[sort] ?? '';
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

/** Returns the index of the first row behind a position, whether or not the run of the position still exists. */
function indexBehind(rows: readonly Row[], position: Position): number {
  const index = rows.findIndex((row) => comparePositions(position, row, position) > 0);
  return index === -1 ? rows.length : index;
}
