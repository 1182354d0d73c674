/** The path prefix of the control interface. */
export const CONTROL_PREFIX = '/_control';

/** The path prefix of the dashboard. */
export const DASHBOARD_PREFIX = '/_dashboard';
