import { accepting } from './accepting.ts';
import { changing } from './changing.ts';
import type { Database } from './driver.ts';
import { leasing } from './leasing.ts';
import { looking } from './looking.ts';
import type { Operations } from './operations.ts';

/** Returns what the thread can do with an open file. */
export function openOperations(database: Database): Operations {
  return {
    accept: accepting(database),
    ...leasing(database),
    ...looking(database),
    ...changing(database),
  };
}
