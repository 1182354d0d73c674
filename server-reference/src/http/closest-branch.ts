import type { ErrorObject } from 'ajv/dist/2020.js';

/**
 * Returns the schema errors without those of the other `oneOf` branches, if a closest branch exists: the
 * only branch whose type is right and whose required fields are all present. Errors of the other branches would confuse
 * the caller.
 */
export function keepClosestBranch(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  return errors.filter(({ keyword }) => keyword === 'oneOf').reduce(keepBranch, errors);
}

/** Keywords by which a branch does not fit the value as a whole. */
const OWN_KEYWORDS: ReadonlySet<string> = new Set(['required', 'type', 'const']);

function keepBranch(errors: readonly ErrorObject[], choice: ErrorObject): readonly ErrorObject[] {
  const branches = branchesOf(choice.schema);
  const isOf = (error: ErrorObject, reference: string): boolean =>
    error.schemaPath.startsWith(`${reference}/`) && isWithin(error, choice);
  const lacks = (reference: string): boolean =>
    errors.some(
      (error) =>
        OWN_KEYWORDS.has(error.keyword) &&
        error.instancePath === choice.instancePath &&
        isOf(error, reference),
    );
  const complete = branches.filter((reference) => !lacks(reference));
  const [closest = null] = complete.length === 1 ? complete : [];
  return errors.filter((error) => {
    if (error === choice) return closest === null;
    const owner = branches.find((reference) => isOf(error, reference));
    return owner === undefined || owner === closest;
  });
}

function isWithin({ instancePath }: ErrorObject, choice: ErrorObject): boolean {
  return `${instancePath}/`.startsWith(`${choice.instancePath}/`);
}

/** Returns the references to the branches of a `oneOf`. */
export function branchesOf(oneOf: unknown): string[] {
  if (!Array.isArray(oneOf)) return [];
  return oneOf.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null && '$ref' in one ? [String(one.$ref)] : [],
  );
}
