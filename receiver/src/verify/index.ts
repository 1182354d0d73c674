export { decodeEvent } from './decode-event.ts';
export type { UnknownEvent, WebhookEvent } from './decode-event.ts';
export { WebhookVerificationError } from './errors.ts';
export type { VerificationErrorCode, VerificationStage } from './errors.ts';
export { RequestBodyError } from './fetch-body.ts';
export type { FetchRequest, VerifyRequestOptions } from './fetch-body.ts';
export type { HeaderSource } from './find-headers.ts';
export type { CheckedHeaders } from './headers.ts';
export { SecretsUnavailableError } from './secrets.ts';
export type { ReadSecrets, SecretEncoding, Secrets } from './secrets.ts';
export { signingKey } from './signing-key.ts';
export { createVerifier } from './verifier.ts';
export type { ReadingVerifier, Verifier } from './verifier.ts';
export type {
  ReadingVerifierOptions,
  VerifiedDelivery,
  VerifierOptions,
} from './verifier-options.ts';
export { verify } from './verify.ts';
export { verifyRequest } from './verify-request.ts';
