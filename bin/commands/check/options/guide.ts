import { Option } from 'commander';

/** The options that tell what checks are about and what they need. */
export interface GuideOptions {
  /** True for all checks, or the id of a check or requirement. */
  readonly list?: true | string;
  readonly initFixtures?: string;
}

export function guideOptions(): Option[] {
  return [
    new Option('--list [id]', 'list the checks, or explain one check or requirement'),
    new Option('--init-fixtures <file>', 'write a file for --fixtures with what is missing'),
  ];
}
