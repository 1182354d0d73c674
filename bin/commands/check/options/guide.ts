import { Option } from 'commander';

/** The options that tell what checks are about and what they need. */
export interface GuideOptions {
  readonly list?: true;
  readonly explain?: string;
  readonly initFixtures?: string;
}

export function guideOptions(): Option[] {
  return [
    new Option(
      '--init-fixtures <file>',
      'after the run, write a file for --fixtures with what was found and what is missing',
    ),
    new Option('--list', 'list all checks, and whether they would run with these options'),
    new Option('--explain <id>', 'explain a check or a requirement, by its id').conflicts('list'),
  ];
}
