export { checks } from './checks/catalogue.ts';
export type { Check, CheckContext, Effect, Need, Side } from './check.ts';
export type { ApiClient, ApiRequest, ApiResponse } from './api-client.ts';
export type { ControlClient } from './control-client.ts';
export type { ReceiverClient, ReceiverRequest } from './receiver-client.ts';
export type { Exchange, HeaderPair } from './exchange.ts';
export { CouldNotRun, Inconclusive, NoAnswer, NotApplicable, Violation } from './findings.ts';
