import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { jsonText } from './types/step.ts';
import type { Step } from './types/step.ts';

/** Why a catalogue was refused. */
type CatalogueErrorCode = 'catalogue_not_yaml' | 'catalogue_row_invalid' | 'id_taken';

/** A catalogue is invalid. The message names the row and the fix. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
  readonly code: CatalogueErrorCode;

  constructor(code: CatalogueErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The JSON Schemas of both catalogues, compiled. The schema of the freedoms refers to the other one. */
type CatalogueSchemas = Readonly<
  Record<'requirements' | 'freedoms', ValidateFunction<readonly Row[]>>
>;

/** `requirements.yaml` as JSON. Throws `CatalogueError` on a bad row. */
export const requirementsJson: Step = {
  output: 'generated/requirements.json',
  async render(specFolder) {
    const yamlText = await readFile(new URL('requirements.yaml', specFolder), 'utf8');
    return renderRequirements(yamlText, await readSchemas(specFolder));
  },
};

/** `freedoms.yaml` as JSON. Throws `CatalogueError` on a bad row. */
export const freedomsJson: Step = {
  output: 'generated/freedoms.json',
  async render(specFolder) {
    const yamlText = await readFile(new URL('freedoms.yaml', specFolder), 'utf8');
    return renderFreedoms(yamlText, await readSchemas(specFolder));
  },
};

/** Returns the text of `requirements.json`. Throws `CatalogueError` on a bad row. */
export function renderRequirements(yamlText: string, schemas: CatalogueSchemas): string {
  return jsonText(checkedRows('requirements.yaml', yamlText, schemas.requirements));
}

/** Returns the text of `freedoms.json`. Throws `CatalogueError` on a bad row. */
export function renderFreedoms(yamlText: string, schemas: CatalogueSchemas): string {
  return jsonText(checkedRows('freedoms.yaml', yamlText, schemas.freedoms));
}

/** Reads both JSON Schemas from the `spec` folder. */
export async function readSchemas(specFolder: URL): Promise<CatalogueSchemas> {
  const ajv = new Ajv2020({ verbose: true });
  const compile = async (name: string): Promise<ValidateFunction<readonly Row[]>> =>
    ajv.compile<readonly Row[]>(JSON.parse(await readFile(new URL(name, specFolder), 'utf8')));
  return {
    requirements: await compile('requirements.schema.json'),
    freedoms: await compile('freedoms.schema.json'),
  };
}

interface Row {
  readonly id: string;
}

function checkedRows(
  fileName: string,
  yamlText: string,
  validate: ValidateFunction<readonly Row[]>,
): readonly Row[] {
  const rows: unknown = parseYaml(fileName, yamlText);
  if (!validate(rows)) throw invalidRow(fileName, rows, validate.errors ?? []);

  const positions = new Map<string, number>();
  for (const [index, { id }] of rows.entries()) {
    const first = positions.get(id);
    if (first !== undefined) {
      throw new CatalogueError(
        'id_taken',
        `${fileName} row ${index + 1} (${id}): row ${first + 1} already has this id. Give the new row another id; ids are never reused.`,
      );
    }
    positions.set(id, index);
  }
  return rows;
}

function parseYaml(fileName: string, yamlText: string): unknown {
  try {
    return parse(yamlText, { uniqueKeys: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CatalogueError('catalogue_not_yaml', `${fileName}: ${reason}`, { cause: error });
  }
}

function invalidRow(
  fileName: string,
  rows: unknown,
  errors: readonly ErrorObject[],
): CatalogueError {
  // The descriptions of the schema say what is expected. The last error is the outermost one.
  const error = errors.at(-1);
  const expected: unknown = error?.parentSchema?.['description'];
  const [, index, ...keys] = (error?.instancePath ?? '').split('/');
  const place = index === undefined ? fileName : `${fileName} row ${rowName(rows, Number(index))}`;
  return new CatalogueError(
    'catalogue_row_invalid',
    `${place}: ${found(error, keys)} ${String(expected)}`,
  );
}

function found(error: ErrorObject | undefined, keys: readonly string[]): string {
  if (error?.keyword === 'additionalProperties') {
    return `unknown key "${error.params['additionalProperty']}"; the row`;
  }
  if (error?.keyword === 'required') {
    return `missing key "${error.params['missingProperty']}"; the row`;
  }
  if (keys.length === 0) return 'it';
  return `${keys.join(' ')} is ${JSON.stringify(error?.data)}; it`;
}

function rowName(rows: unknown, index: number): string {
  const row: unknown = Array.isArray(rows) ? rows[index] : undefined;
  const id = typeof row === 'object' && row !== null && 'id' in row ? row.id : undefined;
  return typeof id === 'string' ? `${index + 1} (${id})` : `${index + 1}`;
}
