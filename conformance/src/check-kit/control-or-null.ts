import type { ControlClient } from '../clients/control-client.ts';
import { CouldNotRun } from '../verdict/findings.ts';
import type { CheckContext } from './check.ts';

/** The control interface; null without one. */
export function controlOrNull(context: CheckContext): ControlClient | null {
  try {
    return context.control;
  } catch (error) {
    if (error instanceof CouldNotRun) return null;
    throw error;
  }
}
