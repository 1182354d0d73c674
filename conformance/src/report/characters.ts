/**
 * Shows control characters and bidirectional controls as text: those of a target could move the cursor, change
 * colors, or reorder what a reader sees. Line breaks stay.
 */
export function harmless(text: string): string {
  return text
    .replaceAll('\t', '  ')
    .replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, (character) => `\\u${hex(character)}`);
}

/** The text on one line. */
export function onOneLine(text: string): string {
  return harmless(text).replaceAll(/\s*\n\s*/g, ' ');
}

/** The text, cut to a number of characters, with a note where the rest is. */
export function clip(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return `${text.slice(0, maxCharacters)}… (more in the JSON and HTML reports)`;
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}
