import type { ErrorObject } from 'ajv/dist/2020.js';

/**
 * Of an object that is none of the forms it may have, keeps what is wrong with the form that was meant: the
 * one whose required fields are all there. What it lacks of the other forms is nobody's mistake.
 */
export function keepClosestBranch(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  return errors.filter(({ keyword }) => keyword === 'oneOf').reduce(keepBranch, errors);
}

function keepBranch(errors: readonly ErrorObject[], choice: ErrorObject): readonly ErrorObject[] {
  const forms = branchesOf(choice.schema);
  const isOf = (error: ErrorObject, reference: string): boolean =>
    error.schemaPath.startsWith(`${reference}/`) && isWithin(error, choice);
  const lacks = (reference: string): boolean =>
    errors.some(
      (error) =>
        error.keyword === 'required' &&
        error.instancePath === choice.instancePath &&
        isOf(error, reference),
    );
  const meant = forms.filter((reference) => !lacks(reference));
  const [only = null] = meant.length === 1 ? meant : [];
  return errors.filter((error) => {
    if (error === choice) return only === null;
    const owner = forms.find((reference) => isOf(error, reference));
    return owner === undefined || owner === only;
  });
}

function isWithin({ instancePath }: ErrorObject, choice: ErrorObject): boolean {
  return `${instancePath}/`.startsWith(`${choice.instancePath}/`);
}

/** The references to the forms that a value may have. */
export function branchesOf(oneOf: unknown): string[] {
  if (!Array.isArray(oneOf)) return [];
  return oneOf.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null && '$ref' in one ? [String(one.$ref)] : [],
  );
}
