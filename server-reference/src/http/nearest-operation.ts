import { distance } from 'fastest-levenshtein';

/** An operation as a router has it. */
interface KnownOperation {
  readonly method: string;
  /** Its path with parameters, such as `/v1/runs/:id`. */
  readonly path: string;
}

/** A longer path is compared with none, because the comparison takes the product of both lengths. */
const MAX_PATH_CHARACTERS = 200;
/** What a segment costs that only one of two paths has. Another method costs less, another segment up to 1. */
const SEGMENT_COST = 0.5;
const METHOD_COST = 0.2;
/** The cost above which a path is no slip of another. */
const MAX_COST = 0.7;

/**
 * Returns the operation that a request without a route most likely means, such as `GET /v1/runs/{id}`; undefined if none or
 * several are equally near.
 */
export function nearestOperation(
  { method, path }: KnownOperation,
  known: readonly KnownOperation[],
): string | undefined {
  if (path.length > MAX_PATH_CHARACTERS) return undefined;
  const segments = path.toLowerCase().split('/');
  const [nearest, second] = known
    .filter((operation) => Math.abs(operation.path.split('/').length - segments.length) < 2)
    .map((operation) => {
      const cost = pathCost(segments, operation.path.split('/'));
      return { operation, cost: cost + (operation.method === method ? 0 : METHOD_COST) };
    })
    .filter(({ cost }) => cost <= MAX_COST)
    .toSorted((left, right) => left.cost - right.cost);
  if (nearest === undefined || nearest.cost === second?.cost) return undefined;
  const { operation } = nearest;
  return `${operation.method} ${operation.path.replaceAll(/[:*](\w+)/g, '{$1}')}`;
}

/** The cost to make one path of the other. */
function pathCost(given: readonly string[], known: readonly string[]): number {
  if (given.length === known.length) {
    return given.reduce((sum, segment, index) => sum + segmentCost(segment, known[index] ?? ''), 0);
  }
  const isLonger = given.length > known.length;
  const costs = (isLonger ? given : known).map((_segment, index) =>
    isLonger
      ? pathCost(given.toSpliced(index, 1), known)
      : pathCost(given, known.toSpliced(index, 1)),
  );
  return SEGMENT_COST + Math.min(...costs);
}

/** From 0 to 1: the share of letters that differ, whatever their case. A parameter has any value. */
function segmentCost(given: string, known: string): number {
  if (given === known.toLowerCase() || (/^[:*]/.test(known) && given !== '')) return 0;
  return distance(given, known.toLowerCase()) / Math.max(given.length, known.length);
}
