import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';

import { entryPoints } from '../../../docs/generate/entry-points.ts';
import { declarationsOf } from '../../../docs/generate/read-declarations.ts';

/** Made from the OpenAPI document, where a member that refers to a schema has the text of that. */
const OF_THE_CONTRACT = /\/generated\//;

test('an editor shows a text for every option and member of the receiver', () => {
  const declarations = entryPoints('receiver')
    .flatMap(({ path }) => declarationsOf(path))
    .filter(({ path }) => !OF_THE_CONTRACT.test(path));
  const silent = declarations.flatMap(({ name, code }) => withoutText(name, code));
  expect([...new Set(silent)]).toEqual([]);
});

/** The name of an error and its constructor say what they are, and a member of the type `never` is never there. */
const PLAIN = /^(readonly name = |constructor\(|\w+\?: never;)/;

/** Returns the members of a declaration without a comment directly before them. An overload has that of the first. */
function withoutText(name: string, code: string): readonly string[] {
  const { program, comments } = parseSync(`${name}.d.ts`, code);
  const found: string[] = [];
  const told = new Set<string>();
  const visit = ({ start, end }: { readonly start: number; readonly end: number }): void => {
    const text = code.slice(start, end);
    if (PLAIN.test(text)) return;
    const [member = ''] = /^[^(:?]*/.exec(text) ?? [];
    const isTold = comments.some(
      (comment) => comment.end <= start && code.slice(comment.end, start).trim() === '',
    );
    if (isTold) told.add(member);
    else if (!told.has(member)) found.push(`${name}: ${member}`);
  };
  new Visitor({
    TSPropertySignature: visit,
    TSMethodSignature: visit,
    PropertyDefinition: visit,
    MethodDefinition: visit,
  }).visit(program);
  return found;
}
