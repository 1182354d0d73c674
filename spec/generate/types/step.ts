import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** One generated file: its path and how to generate it. */
export interface Step {
  /** Path of the file, relative to the `spec` folder. */
  readonly output: string;
  /** Generates the text of the file from the sources in `specFolder`, a URL that ends with `/`. */
  readonly render: (specFolder: URL) => Promise<string>;
}

/** By their texts, because several steps read each document, and to parse one takes most of their time. */
const parsed = new Map<string, unknown>();

/** Parses one YAML file of the `spec` folder. */
export async function readYaml(specFolder: URL, name: string): Promise<unknown> {
  const text = await readFile(new URL(name, specFolder), 'utf8');
  if (!parsed.has(text)) parsed.set(text, parse(text));
  return structuredClone(parsed.get(text));
}

/** Formats the text of a generated JSON file. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The same with one vector a line, so that a change of a vector is a change of its line; ASCII only. */
export function vectorsText(value: { readonly groups: readonly object[] }): string {
  const lines: string[] = [];
  const toLine = (vector: unknown): string => `\u0000${lines.push(JSON.stringify(vector)) - 1}`;
  const folded = JSON.stringify(
    value,
    (name, part: unknown) => (name === 'vectors' && Array.isArray(part) ? part.map(toLine) : part),
    2,
  );
  const text = folded.replaceAll(
    /"\\u0000(\d+)"/g,
    (_, index: string) => lines[Number(index)] ?? '',
  );
  return `${text.replaceAll(/[\u007f-\uffff]/g, escaped)}\n`;
}

function escaped(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
