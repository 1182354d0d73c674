import { posix } from 'node:path';

/**
 * Whether an id looks like a number that each tenant counts for itself, or like a name that each can give: `17`, `tpl_1`,
 * `invoice`. Ids are unique nowhere in the contract, so that two tenants can have the same one.
 */
export function isCounted(id: string): boolean {
  return /^(?:[a-z]+[_-])*(?:[0-9]{1,9}|[a-z]+)$/i.test(id);
}

/** A path in the same folder, with another name. */
export function unknownPathLike(path: string): string {
  const { dir, name, ext } = posix.parse(path);
  return posix.join(dir, `${name}-unknown${ext}`);
}
