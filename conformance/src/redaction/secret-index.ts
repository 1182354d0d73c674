/** Long enough to be rare, and no longer than the shortest text that is watched for. */
const BEGINNING = 8;

/** Finds out which of many texts stand somewhere in another one, at a cost that does not grow with their number. */
export interface SecretIndex<T> {
  /** From now on `subject` is seen wherever one of `texts` stands, each of them at least 8 characters long. */
  watch(subject: T, texts: readonly string[]): void;
  /** Everything that is seen in a text, in the order of `watch`. Case is ignored; now and then one too many is named. */
  in(text: string): readonly T[];
}

export function createSecretIndex<T>(): SecretIndex<T> {
  const subjects: T[] = [];
  /** By the beginning of a watched text: the whole text, and whose it is. */
  const watched = new Map<string, { readonly text: string; readonly subject: number }[]>();

  return {
    watch(subject, texts) {
      const index = subjects.push(subject) - 1;
      for (const text of texts.map(fold)) {
        const beginning = text.slice(0, BEGINNING);
        const others = watched.get(beginning);
        if (others === undefined) watched.set(beginning, [{ text, subject: index }]);
        else others.push({ text, subject: index });
      }
    },
    in(text) {
      const folded = fold(text);
      const seen = new Set<number>();
      for (let start = 0; start + BEGINNING <= folded.length; start += 1) {
        for (const one of watched.get(folded.slice(start, start + BEGINNING)) ?? []) {
          if (folded.startsWith(one.text, start)) seen.add(one.subject);
        }
      }
      return [...seen]
        .toSorted((one, other) => one - other)
        .flatMap((index) => subjects[index] ?? []);
    },
  };
}

/** Whatever a pattern takes for equal when it ignores case has the same upper case. */
function fold(text: string): string {
  return text.toUpperCase();
}
