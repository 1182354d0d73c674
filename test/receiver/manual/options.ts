import { declarationsOf } from '../../../docs/generate/read-declarations.ts';

/** The interfaces that `ReceiverOptions` consists of, in the order of the page. */
const INTERFACES = [
  ['receiver/dist/processing/working-options.d.ts', 'WorkingOptions'],
  ['receiver/dist/runs/processor.d.ts', 'ProcessorOptions'],
  ['receiver/dist/runs/run-settings.d.ts', 'RunOptions'],
  ['receiver/dist/receive/ingress-settings.d.ts', 'IngressLimits'],
  ['receiver/dist/runs/create-ingress.d.ts', 'IngressOptions'],
  ['receiver/dist/runs/platform.d.ts', 'SecretOptions'],
  ['receiver/dist/verify/verifier-options.d.ts', 'VerifierOptions'],
  ['receiver/dist/verify/verifier-options.d.ts', 'ReadingVerifierOptions'],
  ['receiver/dist/runs/receiver-options.d.ts', 'ReceiverOptions'],
] as const;
/** What `createReceiver` gives the halves of a receiver. */
const GIVEN = new Set(['verifier', 'sink', 'now']);

const MEMBER = / {4}\/\*\*([^]*?)\*\/\n {4}readonly (\w+)(\??):/g;

/** An option of `createReceiver`, as its declaration describes it. */
export interface Option {
  readonly name: string;
  readonly isRequired: boolean;
  /** The text of its doc comment on one line. */
  readonly text: string;
}

/** Returns every option of `createReceiver` once. */
export function receiverOptions(): readonly Option[] {
  const options = new Map<string, Option>();
  for (const [path, name] of INTERFACES) {
    const { code } =
      declarationsOf(path).find((declaration) => declaration.name === name) ?? noDeclaration(name);
    for (const [, comment = '', option = '', mark] of code.matchAll(MEMBER)) {
      if (GIVEN.has(option) || options.has(option)) continue;
      const text = comment.replaceAll(/\s*\n\s*\* ?/g, ' ').trim();
      options.set(option, { name: option, isRequired: mark === '', text });
    }
  }
  return [...options.values()];
}

function noDeclaration(name: string): never {
  throw new Error(`The package must declare ${name}, got no such declaration.`);
}

/** Returns the page of all options: name, default and meaning. */
export function optionsPage(): string {
  const rows = receiverOptions().map(({ name, isRequired, text }) => {
    const [meaning = '', given] = text.split(/ ?Default: /);
    const before = given === undefined ? 'none' : given.replace(/\.$/, '');
    return `| \`${name}\` | ${isRequired ? 'required' : before} | ${meaning} |`;
  });
  return [
    '# Options',
    'Options of `createReceiver`. `createProcessor` takes those above `bodyLimitBytes`. An unknown option is refused with the name that was probably meant. `npm run generate` writes this page from the doc comments, which your editor shows too.',
    ['| option | default | meaning |', '| --- | --- | --- |', ...rows].join('\n'),
    '',
  ].join('\n\n');
}
