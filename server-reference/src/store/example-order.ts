/** What the lists of a dataset depend on. */
interface Row {
  readonly number: number;
  readonly rowOrder: number | null;
}

/** Digits of the largest safe integer. */
const DIGITS = 16;

/** Returns the place of an example as text that sorts: first by `rowOrder`, then as created. */
export function examplePlace({ number, rowOrder }: Row): string {
  const row = rowOrder === null ? '~' : digits(rowOrder);
  return `${row} ${digits(number)}`;
}

function digits(value: number): string {
  return String(value).padStart(DIGITS, '0');
}

/** The group of the examples whose names cannot be unpacked side by side everywhere. */
export function exampleNameKey(automationId: string, name: string): string {
  return `${automationId} ${foldName(name)}`;
}

/**
 * Returns the form of a name by which file systems that ignore case compare it. Two names with the same form
 * cannot be unpacked side by side everywhere.
 */
export function foldName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}
