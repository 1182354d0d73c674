export { WebhookVerificationError } from '../errors.ts';
export type { VerificationErrorCode, VerificationStage } from '../errors.ts';
export { decodeEvent } from './decode-event.ts';
export type { HeaderSource } from './header-source.ts';
export type { SecretEncoding } from './secrets.ts';
export { createVerifier } from './verifier.ts';
export type { VerifiedDelivery, Verifier, VerifierOptions } from './verifier.ts';
export { verify } from './verify.ts';
export type { UnknownEvent, WebhookEvent } from './webhook-event.ts';
