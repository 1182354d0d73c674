import type { CheckContext } from '../../../check-kit/check.ts';
import type { FixtureName } from '../../../options/facts.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';

/** The file of the fixtures, and its temporary ones where they are known: files of several sizes and purposes. */
export function knownFiles(context: Pick<CheckContext, 'fixture'>): readonly string[] {
  const others = (['runInputFileId', 'builderAttachmentFileId'] as const).flatMap(
    (name) => fixtureOrNull(context, name) ?? [],
  );
  return [context.fixture('fileId'), ...others];
}

/** Null for something that nobody told. */
export function fixtureOrNull(
  context: Pick<CheckContext, 'fixture'>,
  name: FixtureName,
): string | null {
  try {
    return context.fixture(name);
  } catch (error) {
    if (error instanceof CouldNotRun) return null;
    throw error;
  }
}
