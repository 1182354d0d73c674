/** What begins a style, and the styles of this program. */
const STYLE = String.raw`\x1b\[(?:1|2|22|3[1-6]|39)m`;
const CONTROL = String.raw`(?!\n)[\p{Cc}\p{Bidi_Control}]`;
const CONTROLS = {
  plain: new RegExp(CONTROL, 'gu'),
  color: new RegExp(`${STYLE}|${CONTROL}`, 'gu'),
};

/**
 * Shows control characters and bidirectional controls as JSON writes them: those of a target or an app could move the
 * cursor, or reorder what a reader sees. Line breaks stay, and with `color` the styles of this program.
 */
export function visible(text: string, color: boolean = false): string {
  return text.replaceAll(CONTROLS[color ? 'color' : 'plain'], (found) =>
    found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Hides what looks like a secret. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/\b(whsec|hpk|hpc)_[\w+/=-]+/g, '$1_…');
}

/** Puts a text on one line, shows control characters, and hides what looks like a secret. */
export function safeLine(text: string): string {
  return withoutSecrets(visible(text.replaceAll(/\s+/g, ' ')));
}
