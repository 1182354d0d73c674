import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** One generated file: its path and how to generate it. */
export interface Step {
  /** Path of the file, relative to the `spec` folder. */
  readonly output: string;
  /** Generates the text of the file from the sources in `specFolder`, a URL that ends with `/`. */
  readonly render: (specFolder: URL) => Promise<string>;
}

/** Parses one YAML file of the `spec` folder. */
export async function readYaml(specFolder: URL, name: string): Promise<unknown> {
  return parse(await readFile(new URL(name, specFolder), 'utf8'));
}

/** Formats the text of a generated JSON file. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
