export { runConformance } from './run.ts';
export type { ConformanceOptions, Progress, RejectionSource } from './options.ts';
export { RunInProgress } from './engine.ts';

export { outcomeExitCode } from './outcome.ts';
export type { ExitCode, Outcome } from './outcome.ts';
export type { Level, Verdict } from './verdict.ts';
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
export type { Check, CheckContext, Effect, Need, Side } from './check.ts';
export type { ApiClient, ApiRequest, ApiResponse } from './api-client.ts';
export type { ControlClient } from './control-client.ts';
export type { ReceiverClient, ReceiverRequest } from './receiver-client.ts';
export type { Exchange, HeaderPair } from './exchange.ts';
export { CouldNotRun, Inconclusive, NoAnswer, NotApplicable, Violation } from './findings.ts';
