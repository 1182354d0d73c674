/** Long enough to be rare, and no longer than the shortest watched text. */
const PREFIX_LENGTH = 8;

/** Finds which of many texts occur in another one. The cost of a search does not grow with their number. */
export interface SecretIndex<T> {
  /** Finds `subject` wherever one of `texts` occurs; each has at least 8 characters. */
  watch(subject: T, texts: readonly string[]): void;
  /** The subjects found in a text, in the order of `watch`. Ignores case; may include a false hit. */
  in(text: string): readonly T[];
}

export function createSecretIndex<T>(): SecretIndex<T> {
  const subjects: T[] = [];
  /** The watched texts with their subjects, by prefix. */
  const watched = new Map<string, { readonly text: string; readonly subject: number }[]>();

  return {
    watch(subject, texts) {
      const index = subjects.push(subject) - 1;
      for (const text of texts.map(fold)) {
        const prefix = text.slice(0, PREFIX_LENGTH);
        const others = watched.get(prefix);
        if (others === undefined) watched.set(prefix, [{ text, subject: index }]);
        else others.push({ text, subject: index });
      }
    },
    in(text) {
      const folded = fold(text);
      const seen = new Set<number>();
      for (let start = 0; start + PREFIX_LENGTH <= folded.length; start += 1) {
        for (const one of watched.get(folded.slice(start, start + PREFIX_LENGTH)) ?? []) {
          if (folded.startsWith(one.text, start)) seen.add(one.subject);
        }
      }
      return [...seen]
        .toSorted((one, other) => one - other)
        .flatMap((index) => subjects[index] ?? []);
    },
  };
}

/** Texts that a case-insensitive pattern treats as equal have the same upper case. */
function fold(text: string): string {
  return text.toUpperCase();
}
