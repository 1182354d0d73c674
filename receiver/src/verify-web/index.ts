export { decodeEvent } from '../verify/decode-event.ts';
export type { UnknownEvent, WebhookEvent } from '../verify/decode-event.ts';
export { WebhookVerificationError } from '../verify/errors.ts';
export type { VerificationErrorCode, VerificationStage } from '../verify/errors.ts';
export { RequestBodyError } from '../verify/fetch-body.ts';
export type { FetchRequest, VerifyRequestOptions } from '../verify/fetch-body.ts';
export { SecretsUnavailableError } from '../verify/secrets.ts';
export type { ReadSecrets, SecretEncoding, Secrets } from '../verify/secrets.ts';
export type {
  ReadingVerifierOptions,
  VerifiedDelivery,
  VerifierOptions,
} from '../verify/verifier-options.ts';
export { createVerifier } from './web-verifier.ts';
export type { WebVerifier } from './web-verifier.ts';
export type { HeaderSource } from '../verify/find-headers.ts';
export { verify, verifyRequest } from './web-verify.ts';
