export { runConformance } from './run.ts';
export type { ConformanceOptions, Progress, RejectionSource } from './options/plan.ts';
export { RunInProgress } from './engine/engine.ts';

export { outcomeExitCode } from './verdict/outcome.ts';
export type { ExitCode, Outcome } from './verdict/outcome.ts';
export type { Level, Verdict } from './verdict/verdict.ts';
export type {
  CheckReport,
  FactReport,
  Report,
  TargetReport,
  ViolationReport,
} from './report/model.ts';

export { renderHtml } from './report/html.ts';
export { renderJson } from './report/json.ts';
export { renderTerminal } from './report/terminal.ts';

export { checks } from './checks/catalogue.ts';
export type { Check, CheckContext, Access, Need, Side } from './check-kit/check.ts';
export type { ApiClient, ApiRequest, ApiResponse } from './clients/api-client.ts';
export type { ControlClient } from './clients/control-client.ts';
export type { ReceiverClient, ReceiverRequest } from './clients/receiver-client.ts';
export type { HttpExchange, HeaderPair } from './verdict/exchange.ts';
export {
  CouldNotRun,
  Inconclusive,
  NoResponse,
  NotApplicable,
  Violation,
} from './verdict/findings.ts';
