import type { JsonSchema } from '@hookproof/spec/openapi';

/** Resolves a reference to a schema of the document. */
export type Lookup = (ref: string) => JsonSchema;

/** The type of a value in words, such as `integer, 1 to 10`, with links to the objects of the page. */
export function typeText(schema: JsonSchema, lookup: Lookup): string {
  if (schema.$ref !== undefined) return referenceText(schema.$ref, lookup);
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  const variants = variantsOf(schema);
  if (variants.length > 0) return variants.map((one) => typeText(one, lookup)).join(' or ');
  const types = [schema.type ?? 'any JSON value'].flat();
  return types.map((type) => plainType(type, schema, lookup)).join(' or ') + boundsText(schema);
}

/** The section of an object: its description, then its fields, its variants or its values. */
export function objectText(
  name: string,
  schema: JsonSchema,
  lookup: Lookup,
  shared: readonly Row[],
): string {
  const all = propertyRows(schema, lookup);
  const isShared = (row: Row): boolean => shared.some((one) => isSame(one, row));
  const common = all.filter(isShared).map(({ field }) => `\`${field}\``);
  const rows = all.filter((row) => !isShared(row));
  const variants = variantsOf(schema).map((one) => `- ${typeText(one, lookup)}`);
  const content = variants.length > 0 ? variants.join('\n') : typeText(schema, lookup);
  return [
    `### ${name}`,
    schema.description ?? '',
    common.length === 0 ? '' : `[Common fields](#common-fields): ${common.join(', ')}.`,
    rows.length > 0 ? tableText(rows) : '',
    all.length > 0 ? '' : content,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** A field of an object. */
export interface Row {
  readonly field: string;
  readonly type: string;
  readonly meaning: string;
}

/** From this number of objects on, a field that is the same in all of them is described once. */
const MIN_SHARED = 3;

/** The fields that several objects have with the same type and meaning. A name has one of these meanings only. */
export function sharedRows(schemas: readonly JsonSchema[], lookup: Lookup): Row[] {
  const all = schemas.flatMap((schema) => propertyRows(schema, lookup));
  const frequent = all
    .filter((row, place) => all.findIndex((one) => isSame(one, row)) === place)
    .filter((row) => all.filter((one) => isSame(one, row)).length >= MIN_SHARED);
  return frequent
    .filter(({ field }) => frequent.filter((one) => one.field === field).length === 1)
    .toSorted((left, right) => left.field.localeCompare(right.field, 'en'));
}

function isSame(one: Row, other: Row): boolean {
  return one.field === other.field && one.type === other.type && one.meaning === other.meaning;
}

/** The table of fields. */
export function tableText(rows: readonly Row[]): string {
  const lines = rows.map(({ field, type, meaning }) => `| \`${field}\` | ${type} | ${meaning} |`);
  return `| field | type | meaning |\n| --- | --- | --- |\n${lines.join('\n')}`;
}

/** Whether a schema has no section: an empty object, or an object with nothing but a list. */
export function isInline(schema: JsonSchema): boolean {
  const names = Object.keys(schema.properties ?? {}).join();
  const isPlain = schema.type === 'object' && variantsOf(schema).length === 0;
  return isPlain && ['', 'data', 'data,nextCursor'].includes(names);
}

function variantsOf({ oneOf, anyOf, allOf }: JsonSchema): readonly JsonSchema[] {
  return oneOf ?? anyOf ?? allOf ?? [];
}

/** One row for each property, and for each property of an object that has no section. */
function propertyRows(schema: JsonSchema, lookup: Lookup, prefix = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (property === false) return [];
    const isRequired = schema.required?.includes(name) === true;
    const field = `${prefix}${name}${isRequired ? '' : '?'}`;
    const row = { field, type: cell(typeText(property, lookup)), meaning: meaningOf(property) };
    return [row].concat(propertyRows(property, lookup, `${prefix}${name}.`));
  });
}

function meaningOf({ description = '', default: preset }: JsonSchema): string {
  if (preset === undefined || description.includes('Default')) return cell(description);
  return cell(`${description} Default: ${JSON.stringify(preset)}.`);
}

function referenceText(ref: string, lookup: Lookup): string {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  const schema = lookup(ref);
  if (!isInline(schema)) return `[${name}](#${name.toLowerCase()})`;
  const { data, nextCursor } = schema.properties ?? {};
  if (data === undefined || data === false) return '`{}`';
  const cursor = nextCursor === undefined ? '' : ', and `nextCursor?`: string';
  return `\`data\`: ${typeText(data, lookup)}${cursor}`;
}

function plainType(type: string, schema: JsonSchema, lookup: Lookup): string {
  const { items, additionalProperties, format } = schema;
  if (type === 'array' && items !== undefined) return `array of ${typeText(items, lookup)}`;
  if (type === 'object' && typeof additionalProperties === 'object') {
    return `object of ${typeText(additionalProperties, lookup)} values`;
  }
  return format === 'date-time' && type === 'string' ? 'time' : type;
}

function boundsText({ minimum, maximum, maxItems, maxLength }: JsonSchema): string {
  // The largest safe integer bounds every integer that has no other maximum.
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER - 1;
  if (minimum !== undefined)
    return isBounded ? `, ${minimum} to ${maximum}` : `, ${minimum} or more`;
  if (maxItems !== undefined) return `, at most ${maxItems}`;
  return maxLength === undefined ? '' : `, at most ${maxLength} characters`;
}

function code(value: unknown): string {
  return `\`${String(value)}\``;
}

/** Text in one line, as a cell of a table needs it. */
export function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}
