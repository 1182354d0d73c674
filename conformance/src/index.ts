export { cleanUp, leftChanges } from './clean-up.ts';
export type { CleanUp, LeftChanges } from './clean-up.ts';
export { runConformance } from './run-suite.ts';
export type { ConformanceOptions, Progress, RejectionSource, Side } from './options/options.ts';
export type { Step, StepName, StepPerformer, StepResult } from './options/step.ts';
export type { JournalStore } from './options/journal-store.ts';
export type { Reading } from './undo/undo.ts';
export { RunInProgress } from './engine/engine.ts';

export { outcomeExitCode } from './verdict/verdict.ts';
export type { Remedy } from './verdict/remedy.ts';
export type { ExitCode, Level, Outcome, Verdict } from './verdict/verdict.ts';
export type {
  BaselineProblem,
  BaselineReport,
  CheckReport,
  FactReport,
  Report,
  Reproduction,
  RequirementReport,
  TargetReport,
  ViolationReport,
} from './report/model.ts';

export { applyBaseline } from './baseline/apply.ts';
export { BaselineInvalid, readBaseline } from './baseline/baseline.ts';
export type { AcceptedGap, Baseline, KnownFailure } from './baseline/baseline.ts';
export { renderBaseline, updateBaseline } from './baseline/update.ts';

export { diffReports } from './diff/diff.ts';
export type { Change, ReportDiff } from './diff/diff.ts';
export { renderDiff } from './diff/terminal.ts';
export { ReportInvalid, readReport } from './report/read-report.ts';
export { renderAnnotations } from './report/github.ts';
export { renderHtml } from './report/html/page.ts';
export { renderJunit } from './report/junit.ts';
export { renderMarkdown } from './report/markdown/page.ts';
export { renderJson } from './report/model.ts';
export { renderTerminal } from './report/terminal.ts';
export type { TerminalOptions } from './report/terminal.ts';

export { listChecks } from './guide/list-checks.ts';
export type { ListedCheck } from './guide/list-checks.ts';
export { explain } from './guide/explain.ts';
export type { Explanation } from './guide/explain.ts';
export { fixturesFile } from './guide/fixtures-file.ts';

export { checks } from './checks/catalogue.ts';
export type { Check, CheckContext, Need } from './check-kit/check.ts';
export type { ApiClient, ApiRequest, ApiResponse } from './clients/api-client.ts';
export type { ControlClient } from './clients/control-client.ts';
export type { ReceiverClient, ReceiverRequest } from './clients/receiver-client.ts';
export type { Proxies } from './wire/connections.ts';
export type { Access } from './wire/gate-rules.ts';
export type { DeliveryAttempt, HeaderPair, HttpExchange } from './http/exchange.ts';
export {
  CouldNotRun,
  Inconclusive,
  NoResponse,
  NotApplicable,
  Violation,
} from './verdict/findings.ts';
