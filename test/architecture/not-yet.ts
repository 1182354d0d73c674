import type { SOURCE_FOLDERS } from './source-files.ts';

type Folder = (typeof SOURCE_FOLDERS)[number];

/** Folders that do not follow a rule yet, and calls that visit too many files. */
export const NOT_YET: Record<'order' | 'size' | 'functions', ReadonlySet<Folder>> & {
  readonly visited: ReadonlySet<string>;
  /** Paths, or beginnings of paths, that still contain words of the table in docs/style.md. */
  readonly words: readonly string[];
} = {
  order: new Set(),
  size: new Set(),
  functions: new Set(),
  visited: new Set(),
  words: [
    'server-reference/src/',
    'server-reference/README.md',
    'server-reference/CONTROL.md',
    'test/server-reference/',
    'spec/control.yaml',
  ],
};
