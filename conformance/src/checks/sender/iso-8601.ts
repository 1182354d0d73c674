const DATE = [
  String.raw`\d{4}-\d{2}-\d{2}`,
  String.raw`\d{8}`,
  String.raw`\d{4}-?\d{3}`,
  String.raw`\d{4}-?W\d{2}-?\d`,
].join('|');
const TIME = String.raw`\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d+)?)?)?`;
const OFFSET = String.raw`Z|[+-]\d{2}(?::?\d{2})?`;
const ISO_8601 = new RegExp(`^(?:${DATE})T${TIME}(?:${OFFSET})?$`, 'i');

/** Whether a value is a time in ISO 8601: calendar, ordinal or week date, basic or extended format. */
export function isIso8601(value: unknown): boolean {
  return typeof value === 'string' && ISO_8601.test(value);
}
