import { fewestMissing, momentOf } from './moment.ts';
import type { Moment } from './moment.ts';
import { isSimultaneous } from './entry.ts';
import type { Entry, Next } from './entry.ts';
import { walk } from './walk.ts';

/** One path through the moments so far: its last status and the number of missing edges. */
interface Path {
  readonly end: string | null;
  readonly missing: number;
  readonly before: Path | null;
}

/**
 * Orders entries, which are sorted by time, from `start` on. Simultaneous ones are ordered so that
 * the fewest events are missing in the whole, up to an event that leaves `next`, if there is one.
 */
export function timeOrder(
  sorted: readonly Entry[],
  start: string | null,
  next: Next,
): readonly Entry[] {
  const hasTies = sorted.some((entry, index) => isSimultaneous(sorted[index - 1], entry));
  return hasTies ? bestWalk(groupsOf(sorted), start, next) : sorted;
}

/** Returns the entries in groups of the same time. */
function groupsOf(sorted: readonly Entry[]): readonly (readonly Entry[])[] {
  const groups: Entry[][] = [];
  for (const [index, entry] of sorted.entries()) {
    if (isSimultaneous(sorted[index - 1], entry)) groups.at(-1)?.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

/** Chooses the last status of each moment so that the history has the fewest missing edges. */
function bestWalk(
  groups: readonly (readonly Entry[])[],
  start: string | null,
  next: Next,
): readonly Entry[] {
  const moments = groups.map((entries) => momentOf(entries.map(({ edge }) => edge)));
  let paths: readonly Path[] = [{ end: start, missing: 0, before: null }];
  for (const moment of moments) {
    paths = possibleEnds(moment).map((end) => shortestPath(paths, moment, end));
  }
  const total = ({ end, missing }: Path) => missing + (next === undefined || next === end ? 0 : 1);
  let path: Path | null = paths.reduce((best, other) =>
    total(other) < total(best) ? other : best,
  );
  const parts: (readonly Entry[])[] = [];
  for (let index = moments.length - 1; index >= 0; index -= 1) {
    const [entries = [], moment] = [groups[index], moments[index]];
    const from: string | null = path?.before?.end ?? null;
    if (entries.length === 1 || moment === undefined) parts.push(entries);
    else parts.push(inOrder(entries, walk(moment, from, path?.end ?? null)));
    path = path?.before ?? null;
  }
  return parts.toReversed().flat();
}

function inOrder(entries: readonly Entry[], edges: readonly Entry['edge'][]): readonly Entry[] {
  const byEdge = new Map(entries.map((entry) => [entry.edge, entry] as const));
  return edges.flatMap((edge) => byEdge.get(edge) ?? []);
}

function possibleEnds(moment: Moment): readonly (string | null)[] {
  if (moment.edges.length === 1) return moment.edges.map((edge) => edge.currentStatus);
  return moment.statuses;
}

function shortestPath(paths: readonly Path[], moment: Moment, end: string | null): Path {
  return paths
    .map((before) => ({
      end,
      missing: before.missing + fewestMissing(moment, before.end, end),
      before,
    }))
    .reduce((best, other) => (other.missing < best.missing ? other : best));
}
