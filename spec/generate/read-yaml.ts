import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** Parses one YAML file of the `spec` folder. Duplicate keys are errors. Merge keys (`<<`) are supported. */
export async function readYaml(specFolder: URL, name: string): Promise<unknown> {
  return parse(await readFile(new URL(name, specFolder), 'utf8'), {
    merge: true,
    uniqueKeys: true,
  });
}

/** Formats the text of a generated JSON file. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
