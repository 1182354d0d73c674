import { posix } from 'node:path';

/** Whether ids look like numbers that each tenant counts for itself, so that two tenants can have the same one. */
export function isCounted(id: string): boolean {
  return /^[0-9]{1,9}$/.test(id);
}

/** A path in the same folder, with another name. */
export function unknownPathLike(path: string): string {
  const { dir, name, ext } = posix.parse(path);
  return posix.join(dir, `${name}-unknown${ext}`);
}
