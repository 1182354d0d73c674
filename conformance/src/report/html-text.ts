/** Markup that is safe to place in a page as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | number | Markup | null | readonly Piece[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Template tag: everything between the braces is escaped, unless it is markup already. */
export function html(literals: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  const text = literals.map((literal, index) => literal + markupOf(pieces[index] ?? null).text);
  return new Markup(text.join(''));
}

function markupOf(piece: Piece): Markup {
  if (piece === null) return new Markup('');
  if (piece instanceof Markup) return piece;
  if (typeof piece === 'string' || typeof piece === 'number') return new Markup(escape(`${piece}`));
  return new Markup(piece.map((part) => markupOf(part).text).join(''));
}

/** Control characters are shown as symbols: some browsers drop them, and a reader should see that they came. */
function escape(text: string): string {
  return text
    .replace(/[&<>"'`]/g, (character) => ENTITIES[character] ?? character)
    .replace(/(?![\t\n])\p{Cc}/gu, (character) =>
      String.fromCharCode(0x2400 + Math.min(character.charCodeAt(0), 0x21)),
    );
}
