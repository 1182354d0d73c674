import type { Side } from '../options/options.ts';
import { API_CAUSES } from './api-causes.ts';
import type { CauseTable, Diagnosis, Symptom } from './diagnosis.ts';
import { observedCause } from './observed.ts';
import { RECEIVER_CAUSES } from './receiver-causes.ts';
import { SENDER_CAUSES } from './sender-causes.ts';

const TABLES: Readonly<Record<Side, CauseTable>> = {
  api: API_CAUSES,
  sender: SENDER_CAUSES,
  receiver: RECEIVER_CAUSES,
};

/** The likely cause of a violation: by what was seen, else by the area of its requirement. */
export function diagnose(symptom: Symptom): Diagnosis {
  return observedCause(symptom) ?? areaCause(symptom) ?? unknownArea(symptom);
}

/** The entry of the longest id that begins the id of the requirement; null without one. */
export function areaCause({
  side,
  requirement,
}: Pick<Symptom, 'side' | 'requirement'>): Diagnosis | null {
  const parts = requirement.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const entry = TABLES[side][parts.slice(0, length).join('.')];
    if (entry !== undefined) return { cause: entry[0], fix: entry[1] };
  }
  return null;
}

/** For a requirement that no table knows. Diagnoses are not redacted, so that nothing of the target stands in them. */
function unknownArea({ requirement }: Symptom): Diagnosis {
  return {
    cause: `The target does not do what ${requirement} states.`,
    fix: 'Compare what handles the request shown with the rule.',
  };
}
