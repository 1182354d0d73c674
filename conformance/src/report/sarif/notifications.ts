import type { CheckReport, Report } from '../model.ts';

/** What a user can change belongs to the configuration; the rest happened during the run. */
export function notificationsOf({ checks, suiteErrors }: Report): object {
  const missing = checks.filter(({ verdict }) => verdict === 'could-not-run');
  const unsettled = checks.filter(({ verdict }) => verdict === 'inconclusive');
  const broken = checks.filter(({ verdict }) => verdict === 'harness-error');
  return {
    toolConfigurationNotifications: missing.map((check) => notification('warning', check)),
    toolExecutionNotifications: [
      ...unsettled.map((check) => notification('warning', check)),
      ...broken.map((check) => notification('error', check)),
      ...suiteErrors.map((text) => ({ level: 'error', message: { text } })),
    ],
  };
}

function notification(level: 'warning' | 'error', check: CheckReport): object {
  const { id, message, remedies = [] } = check;
  const text =
    remedies.length === 0
      ? message
      : `${message}. To run this check, add ${remedies.join(' and ')}`;
  return { level, message: { text }, descriptor: { id } };
}
