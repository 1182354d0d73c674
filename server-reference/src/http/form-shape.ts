import type { JsonSchema, OpenApiDocument } from '@hookproof/spec/openapi';

/** What a part holds: a text, a text in JSON, one file, or a file of a list. */
export type PartKind = 'text' | 'json' | 'file' | 'files';

/** The parts that an operation reads from a form. */
export interface FormShape {
  /** The schema of the whole form. A file counts as an empty string, and a list of files as an array. */
  readonly schema: JsonSchema;
  /** Returns the kind of a part; undefined for a name that the document does not have. */
  kindOf(name: string): PartKind | undefined;
}

/**
 * Reads the shape of a form from its schema. A property with `contentMediaType` is a file, and an array of
 * them takes the part any number of times. `patternProperties` describe names such as `files.<field>`.
 */
export function readFormShape(
  schema: JsonSchema,
  { components }: Pick<OpenApiDocument, 'components'>,
): FormShape {
  const resolve = ({ $ref, ...inline }: JsonSchema): JsonSchema =>
    $ref === undefined ? inline : (components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {});
  const kind = (part: JsonSchema): PartKind => {
    const { type, items, contentMediaType } = resolve(part);
    if (contentMediaType !== undefined) return 'file';
    if (items !== undefined && resolve(items).contentMediaType !== undefined) return 'files';
    return type === 'string' ? 'text' : 'json';
  };
  const { properties = {}, patternProperties = {} } = resolve(schema);
  const named = new Map(
    Object.entries(properties).flatMap(([name, part]) =>
      part === false ? [] : [[name, kind(part)] as const],
    ),
  );
  const patterns = Object.entries(patternProperties).map(
    ([pattern, part]) => [new RegExp(pattern, 'su'), kind(part)] as const,
  );
  return {
    schema,
    kindOf: (name) => named.get(name) ?? patterns.find(([pattern]) => pattern.test(name))?.[1],
  };
}
