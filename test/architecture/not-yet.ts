/** What does not follow a rule yet. */
export const NOT_YET: {
  /** Paths, or beginnings of paths, that still contain words of the table in docs/style.md. */
  readonly words: readonly string[];
} = {
  words: [],
};
