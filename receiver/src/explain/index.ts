export { explainDelivery } from './explain-delivery.ts';
export type { ExplainOptions, KnownSender } from './explain-delivery.ts';
export type { FailedDelivery, SignedWith } from './explain-signed.ts';
export { formatExplanation } from './mistake.ts';
export type { ExplanationCause, Mistake } from './mistake.ts';
