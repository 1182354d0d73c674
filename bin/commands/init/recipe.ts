import { readFileSync } from 'node:fs';

/** One block of a page: what a reader saves, types or sees, or what no test can type here. */
export type Step =
  | { readonly kind: 'file'; readonly line: number; readonly name: string; readonly text: string }
  | { readonly kind: 'command'; readonly line: number; readonly command: string }
  | { readonly kind: 'output'; readonly line: number; readonly lines: readonly string[] }
  | { readonly kind: 'left out'; readonly line: number; readonly reason: string };

/** A page of `docs/recipes`. */
export interface Recipe {
  /** The file's name without its extension. */
  readonly name: string;
  readonly text: string;
  readonly steps: readonly Step[];
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;
/** The line above a block that shows a file whole. */
const FILE_NAME = /^`([^`]+)`:$/;
/** The comment above a block that is not typed. Readers do not see it. */
const LEFT_OUT = /^<!-- not typed: (.+) -->$/;

/** Reads a page. The package of the command contains them all. */
export function readRecipe(name: string): Recipe {
  const file = `docs/recipes/${name}.md`;
  const text = readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');
  return { name, text, steps: stepsOf(text, file) };
}

/** Returns the files that a page shows. */
export function filesOf({ steps }: Recipe): (Step & { kind: 'file' })[] {
  return steps.filter((step) => step.kind === 'file');
}

/** Returns what a reader of a page types. */
export function commandsOf({ steps }: Recipe): string[] {
  return steps.flatMap((step) => (step.kind === 'command' ? [step.command] : []));
}

/**
 * Returns the steps of a page.
 *
 * @param place - names the page in errors
 * @throws {Error} for a block that a reader would not know what to do with
 */
export function stepsOf(text: string, place: string): Step[] {
  return [...text.matchAll(FENCE)].flatMap((block) => {
    const [, language = '', code = ''] = block;
    const before = text.slice(0, block.index).trimEnd();
    const line = text.slice(0, block.index).split('\n').length;
    const above = before.slice(before.lastIndexOf('\n') + 1);
    const name = FILE_NAME.exec(above)?.[1];
    const reason = LEFT_OUT.exec(above)?.[1];
    if (name !== undefined) return [{ kind: 'file', line, name, text: code } as const];
    if (reason !== undefined) return [{ kind: 'left out', line, reason } as const];
    if (language === 'sh') return commandSteps(code, line + 1);
    if (language === 'text') {
      return [{ kind: 'output', line, lines: code.trimEnd().split('\n') } as const];
    }
    throw new Error(
      `${place}:${line}: a block must be sh, text or a file with its \`name\`: above it, got ${language || 'no language'}.`,
    );
  });
}

/** A backslash at the end of a line continues the command. */
function commandSteps(code: string, line: number): Step[] {
  return [...code.matchAll(/(?:.*\\\n)*.+\n/g)].map((found) => ({
    kind: 'command',
    line: line + code.slice(0, found.index).split('\n').length - 1,
    command: found[0].trimEnd(),
  }));
}
