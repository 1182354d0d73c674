import type { SOURCE_FOLDERS } from './source-files.ts';

type Folder = (typeof SOURCE_FOLDERS)[number];

/** Folders that do not follow a rule yet, and calls that visit too many files. */
export const NOT_YET: Record<'order' | 'size' | 'functions', ReadonlySet<Folder>> & {
  readonly visited: ReadonlySet<string>;
} = {
  order: new Set(['server-reference/src', 'conformance/src']),
  size: new Set(['server-reference/src', 'conformance/src', 'receiver/src', 'bin']),
  functions: new Set(['server-reference/src', 'conformance/src', 'receiver/src', 'bin']),
  visited: new Set(['list', 'patch', 'delivery', 'receive', 'check']),
};
