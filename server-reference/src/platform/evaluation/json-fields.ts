import type { DeepReadonly } from '../state/read-only.ts';

/** A value that JSON can have. */
type Json = DeepReadonly<unknown>;

/** Returns whether two JSON values are equal. The order of members does not matter. */
export function isEqual(one: Json, other: Json): boolean {
  return differences(one, other, 1).length === 0;
}

/**
 * Returns the paths at which two JSON values differ, such as `rows[0].carrier`, in the order of the first;
 * an empty path is the whole value.
 *
 * @param max - the number of paths after which the comparison ends
 */
export function differences(one: Json, other: Json, max: number): string[] {
  const found: string[] = [];
  compare(one, other, '', (path) => {
    if (found.length < max) found.push(path);
    return found.length < max;
  });
  return found;
}

/** Returns false when the comparison should end. */
function compare(one: Json, other: Json, path: string, report: (path: string) => boolean): boolean {
  if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) {
    return Object.is(one, other) || one === other || report(path);
  }
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.every((name) => {
    const place = Array.isArray(one) ? `${path}[${name}]` : join(path, name);
    const [first, second] = [memberOf(one, name), memberOf(other, name)];
    if (first === undefined || second === undefined) return report(place);
    return compare(first, second, place, report);
  });
}

/** Returns the value at a path with dots between its parts; undefined without one. */
export function valueAt(value: Json, path: string): Json {
  return path
    .split('.')
    .reduce<Json>((at, name) => (isContainer(at) ? memberOf(at, name) : undefined), value);
}

type Container = Readonly<Record<string, Json>>;

function isContainer(value: Json): value is Container {
  return typeof value === 'object' && value !== null;
}

function memberOf(value: Container, name: string): Json {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
