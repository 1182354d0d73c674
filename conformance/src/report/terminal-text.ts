/** Paints text, or leaves it when colour is off. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly blue: (text: string) => string;
}

export function paintWith(color: boolean): Paint {
  const code =
    (start: number, end: number) =>
    (text: string): string =>
      color ? `\u001b[${start}m${text}\u001b[${end}m` : text;
  return {
    bold: code(1, 22),
    dim: code(2, 22),
    red: code(31, 39),
    green: code(32, 39),
    yellow: code(33, 39),
    blue: code(34, 39),
  };
}

/** A target's text may hold escape sequences that move the cursor or lie about colours: they are shown, not obeyed. */
export function harmless(text: string): string {
  return text
    .replaceAll('\t', '  ')
    .replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, (character) => `\\u${hex(character)}`);
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}
