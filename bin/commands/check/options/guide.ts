import { Option } from 'commander';

/** The options that tell what checks are about and what they need. */
export interface GuideOptions {
  /** The beginning of ids, which is empty for all checks, or the id of a check or requirement. */
  readonly list?: string;
  readonly initFixtures?: string;
}

export function guideOptions(): Option[] {
  return [
    new Option('--list [id]', 'list checks by a beginning, or explain one').preset(''),
    new Option('--init-fixtures <file>', 'write a file for --fixtures with what is missing'),
  ];
}
