import { WebhookVerificationError } from '../verify/errors.ts';
import { parseJson } from '../verify/raw-body.ts';

/** Returns why an authentic body is no event; `null` when it is an object with these texts. */
export function jsonProblem(rawBody: Uint8Array, texts: readonly string[]): string | null {
  return problemIn(() => {
    const value = parseJson(rawBody);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return 'Body must be an object, got another value.';
    }
    const members: Readonly<Record<string, unknown>> = { ...value };
    const wrong = texts.find((name) => typeof members[name] !== 'string' || members[name] === '');
    return wrong === undefined ? null : `${wrong} must be a string, got another value.`;
  });
}

/** Returns what reading an event finds wrong, be it returned or thrown; `null` for nothing. */
export function problemIn(read: () => string | null): string | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return error.message;
  }
}
