export { decodeEvent } from '../verify/decode-event.ts';
export type { UnknownEvent, WebhookEvent } from '../verify/decode-event.ts';
export { WebhookVerificationError } from '../verify/errors.ts';
export type { VerificationErrorCode, VerificationStage } from '../verify/errors.ts';
export type { SecretEncoding } from '../verify/secrets.ts';
export type { VerifiedDelivery, VerifierOptions } from '../verify/verifier-options.ts';
export { createVerifier } from './web-verifier.ts';
export type { WebVerifier } from './web-verifier.ts';
export type { WebHeaderSource } from './web-headers.ts';
