/** What `hookproof init` printed, as a reader follows it. */
export interface InitOutput {
  /** Lines for a file of the app. */
  readonly additions: readonly { readonly file: string; readonly text: string }[];
  /** Lines of a file of the app, and what they must be. */
  readonly changes: readonly {
    readonly file: string;
    readonly before: string;
    readonly after: string;
  }[];
  /** The lines to type. */
  readonly commands: readonly string[];
  /** What is left to the reader: a place that was not found, or a file that was not. */
  readonly unplaced: readonly string[];
}

/** Reads the output of `hookproof init`. */
export function readInitOutput(output: string): InitOutput {
  const additions: { file: string; text: string }[] = [];
  const changes: { file: string; before: string; after: string }[] = [];
  const unplaced: string[] = [];
  const [blocks = '', next = ''] = output.split('\nNext:\n');
  let change: { file: string; before: string } | null = null;
  for (const [, title = '', indented = ''] of blocks.matchAll(
    /^(\S.*):\n\n((?:(?: {4}.*)?\n)+)/gm,
  )) {
    const text = indented.trimEnd().replaceAll(/^ {4}/gm, '');
    const added = /^Add these lines to (.+)$/.exec(title)?.[1];
    const changed = /^In (.+), change this line$/.exec(title)?.[1];
    if (added !== undefined) additions.push({ file: added, text });
    else if (changed !== undefined) change = { file: changed, before: text };
    else if (/^to th(?:is|ese)$/.test(title) && change !== null) {
      changes.push({ ...change, after: text });
    } else unplaced.push(`${title}: ${text}`);
  }
  return {
    additions,
    changes,
    unplaced,
    commands: next.split('\n').flatMap((line) => /^ {2}(\S.*)$/.exec(line)?.[1] ?? []),
  };
}
