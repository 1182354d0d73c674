import { escapeMarkup } from '../../http/escape-markup.ts';

/** Markup that is safe in a page. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | number | Markup | null | readonly Piece[];

/** Template tag: escapes every value that is not markup already. */
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

/** A text in content or in a quoted attribute. Shows control characters as symbols, because some browsers drop them. */
function escape(text: string): string {
  return escapeMarkup(text)
    .replaceAll('`', '&#96;')
    .replace(/(?![\t\n])\p{Cc}/gu, (character) =>
      String.fromCharCode(0x2400 + Math.min(character.charCodeAt(0), 0x21)),
    );
}
