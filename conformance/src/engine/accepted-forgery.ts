import type { Check } from '../check-kit/check.ts';
import type { Discovery } from '../discover/discover.ts';
import type { AcceptedForgery } from '../preflight/accepted-forgery.ts';
import type { Finding } from '../verdict/findings.ts';

/** Checks of these expect a refusal by the signature, or by the timestamp. */
const ABOUT_SIGNATURES =
  /^(signature\.(message\.other-|header\.|digest\.|version-prefix)|receiver\.refused\.)/;
const ABOUT_TIMES = /^signature\.timestamp\.(?!within-tolerance)/;
const REPORTING = 'signature.message.other-secret';

/**
 * The finding of a check that expects a refusal, of a receiver that accepts deliveries whatever their signature: one of
 * the selected checks reports it, and the others refer to that. Null for other checks and receivers.
 */
export function acceptedForgeryOf(
  check: Check,
  selected: readonly Check[],
  { receiver }: Discovery,
): Finding | null {
  const forgery = receiver?.forgery ?? null;
  if (check.side !== 'receiver' || forgery === null || !isConcerned(check, forgery)) return null;
  const concerned = selected.filter((one) => one.side === 'receiver' && isConcerned(one, forgery));
  const reporting =
    concerned.find(({ requirements }) => requirements[0] === REPORTING) ?? concerned[0];
  if (reporting === undefined || reporting === check) return violation(forgery);
  return {
    kind: 'could-not-run',
    message: `the receiver accepts every forged delivery: see ${reporting.id}`,
    remedies: [`make ${reporting.id} pass`],
  };
}

function isConcerned({ requirements: [primary] }: Check, { isAnyTime }: AcceptedForgery): boolean {
  return ABOUT_SIGNATURES.test(primary) || (isAnyTime && ABOUT_TIMES.test(primary));
}

function violation({ response, isAnyTime }: AcceptedForgery): Finding {
  const what = `a delivery that another secret signs, one with a made-up digest, one whose body was changed after signing${isAnyTime ? ', and one of a day ago' : ''}`;
  const detail = {
    expected: 'anything but a 2xx for a forged delivery',
    actual: `status ${response.status} for ${what}`,
    diagnosis: {
      cause: 'The receiver verifies no signature, or does not use the result.',
      fix: 'Verify id, timestamp and raw body before anything else, and respond with a 4xx when that fails. If verification is off in this environment, turn it on.',
    },
    exchange: response.exchange,
  };
  // Each kind of forgery was accepted.
  return { kind: 'violation', detail, confirmed: 2, steps: [] };
}
