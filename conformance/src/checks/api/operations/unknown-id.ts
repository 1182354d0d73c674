const CHANGED_CHARACTERS = 4;
const HEX = 'abcdef';
const OTHERS = 'ghjkmnpqrstvwxyz';

/**
 * An id in the form of a real one that no resource has: the last characters of its last part differ. A short number
 * becomes a long one, because a neighbor of it probably exists.
 */
export function unknownIdLike(id: string): string {
  const [, before = '', part = ''] = /^(.*?)([0-9A-Za-z]*)$/s.exec(id) ?? [];
  if (/^[0-9]{1,8}$/.test(part)) return `${before}8${part.padStart(8, '0')}`;
  const kept = part.slice(0, -CHANGED_CHARACTERS);
  return before + kept + part.slice(kept.length).replace(/./g, changed);
}

/** Another character of the same alphabet: a digit for a digit, a hex letter for a hex letter. */
function changed(character: string): string {
  if (/[0-9]/.test(character)) return String((Number(character) + 5) % 10);
  const lower = character.toLowerCase();
  const alphabet = HEX.includes(lower) ? HEX : OTHERS;
  const found = alphabet[(alphabet.indexOf(lower) + 3) % alphabet.length] ?? '';
  return character === lower ? found : found.toUpperCase();
}
