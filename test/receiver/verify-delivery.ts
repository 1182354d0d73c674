import { createVerifier } from '@hookproof/receiver/verify';
import type { VerifierOptions } from '@hookproof/receiver/verify';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import { expect } from 'vitest';

export const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBlbmRwb2ludA==';
export const NOW = Date.parse('2026-07-01T12:00:00.000Z');
export const now = (): number => NOW;
export const event = runCreatedEvent();

/** For callers without types. */
export function untyped(value: unknown): never {
  return value as never;
}

export function signedAt(offset: number) {
  return signEvent(event, { secret: SECRET, now: () => NOW + offset * 1000 });
}

export const delivery = signEvent(event, { secret: SECRET, now });

export function withHeader(name: string, value: string | readonly string[] | undefined) {
  return { ...delivery.headers, [name]: value };
}

export function verifierWith(options: Partial<VerifierOptions> = {}) {
  return createVerifier({ secrets: SECRET, now, ...options });
}

export function refusal(code: string, stage: string, message: RegExp) {
  return expect.objectContaining({
    name: 'WebhookVerificationError',
    code,
    stage,
    message: expect.stringMatching(message),
  });
}

export function checkSignedAt(offset: number, options: Partial<VerifierOptions>) {
  return () => verifierWith(options).verifySignature(signedAt(offset).headers, delivery.body);
}
