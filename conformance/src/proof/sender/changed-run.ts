import type { Fields } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import type { When } from './alter.ts';
import { defect, editingRun } from './alter.ts';

/** An implementation whose events show another run. */
export function changed(
  name: string,
  what: string,
  breaks: string,
  edit: (run: Fields) => unknown,
  when?: When,
): Defect {
  return defect(`run-${name}`, `A run in an event ${what}.`, breaks, editingRun(edit, when));
}
