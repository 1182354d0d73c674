export { decodeEvent } from './decode-event.ts';
export type { UnknownEvent, WebhookEvent } from './decode-event.ts';
export { WebhookVerificationError } from './errors.ts';
export type { VerificationErrorCode, VerificationStage } from './errors.ts';
export type { CheckedHeaders, HeaderSource } from './headers.ts';
export type { SecretEncoding } from './secrets.ts';
export { createVerifier } from './verifier.ts';
export type { VerifiedDelivery, Verifier, VerifierOptions } from './verifier.ts';
export { verify } from './verify.ts';
