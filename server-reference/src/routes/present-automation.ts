import type { Automation } from '@hookproof/spec';

import type { AutomationRecord } from '../state/automation.ts';
import type { State } from '../store/state.ts';
import { folderPathOf } from './folder-path.ts';

/** The public view of an automation, with the path of its folder. */
export function presentAutomation(state: State, automation: AutomationRecord): Automation {
  const { tenantId: _tenantId, ...fields } = automation;
  return { ...fields, folderPath: folderPathOf(state, automation.folderId) };
}
