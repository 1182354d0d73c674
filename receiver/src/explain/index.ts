export { explainDelivery, formatExplanation } from './explain-delivery.ts';
export type { ExplainOptions, FailedDelivery } from './explain-delivery.ts';
export type { ExplanationCause, Mistake } from './mistake.ts';
