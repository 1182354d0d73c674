export { runConformance } from './run-suite.ts';
export type { ConformanceOptions, Progress, RejectionSource, Side } from './options/options.ts';
export { RunInProgress } from './engine/engine.ts';

export { outcomeExitCode } from './verdict/verdict.ts';
export type { ExitCode, Level, Outcome, Verdict } from './verdict/verdict.ts';
export type {
  CheckReport,
  FactReport,
  Report,
  TargetReport,
  ViolationReport,
} from './report/model.ts';

export { renderHtml } from './report/html/page.ts';
export { renderJson } from './report/model.ts';
export { renderTerminal } from './report/terminal.ts';

export { checks } from './checks/catalogue.ts';
export type { Check, CheckContext, Need } from './check-kit/check.ts';
export type { ApiClient, ApiRequest, ApiResponse } from './clients/api-client.ts';
export type { ControlClient } from './clients/control-client.ts';
export type { ReceiverClient, ReceiverRequest } from './clients/receiver-client.ts';
export type { Access } from './wire/gate-rules.ts';
export type { HeaderPair, HttpExchange } from './http/exchange.ts';
export {
  CouldNotRun,
  Inconclusive,
  NoResponse,
  NotApplicable,
  Violation,
} from './verdict/findings.ts';
