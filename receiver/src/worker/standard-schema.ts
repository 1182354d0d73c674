/**
 * A schema of Zod, Valibot, ArkType or another library that implements https://standardschema.dev,
 * version 1.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** What the standard defines; the library fills it in. */
  readonly '~standard': {
    /** The version of the standard. */
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    /** Checks a value, and returns it as the schema defines it, or what is wrong. */
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** Only for types. */
    readonly types?:
      | {
          /** What the schema takes. */
          readonly input: Input;
          /** What it returns. */
          readonly output: Output;
        }
      | undefined;
  };
}

/** What a schema says of a value. */
export type SchemaResult<Output> =
  | {
      /** The value as the schema returns it. */
      readonly value: Output;
      /** Absent: it matches. */
      readonly issues?: undefined;
    }
  | {
      /** Why it does not match. */
      readonly issues: readonly SchemaIssue[];
    };

/** One reason why a value does not match. */
export interface SchemaIssue {
  /** What is wrong, for people. */
  readonly message: string;
  /** Where in the value it is; absent for the value itself. */
  readonly path?:
    | readonly (
        | PropertyKey
        | {
            /** The name of a property, or an index. */
            readonly key: PropertyKey;
          }
      )[]
    | undefined;
}

/**
 * What does not match the schema of its handlers: the event becomes a dead letter with the reason
 * `output_invalid`, because another attempt would find the same.
 */
export class Unfit extends Error {
  override readonly name: string = 'Unfit';
  readonly code = 'output_invalid';
}

/** Writes what a schema says in one line. */
export function issuesText(issues: readonly SchemaIssue[]): string {
  return issues.map(issueText).join('; ');
}

function issueText({ message, path = [] }: SchemaIssue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
}
