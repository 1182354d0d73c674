import { escapeMarkup } from '../http/escape-markup.ts';
import { harmless } from './characters.ts';
import { Markup } from './html/markup.ts';

/** An XML element with a line of its own: text content is escaped, children are elements already. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: string | readonly Markup[] = [],
): Markup {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(value)}"`);
  const start = `<${name}${pairs.join('')}`;
  if (content.length === 0) return new Markup(`${start}/>`);
  if (typeof content === 'string') return new Markup(`${start}>${escapeXml(content)}</${name}>`);
  return new Markup(`${start}>\n${content.map(({ text }) => text).join('\n')}\n</${name}>`);
}

/** A parser would turn the line breaks of an attribute into spaces. */
function attribute(value: string | number): string {
  return escapeXml(String(value)).replaceAll('\n', '&#10;');
}

/** XML 1.0 has no form for control characters, half surrogate pairs and two further code points. */
function escapeXml(text: string): string {
  return escapeMarkup(harmless(text)).replaceAll(/[\p{Surrogate}\uFFFE\uFFFF]/gu, '\uFFFD');
}
