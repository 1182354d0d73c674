import type { Check } from '../check-kit/check.ts';
import type { Discovery } from '../discover/discover.ts';
import type { AcceptedForgery } from '../preflight/accepted-forgery.ts';
import { checkRemedy } from '../options/remedies.ts';
import type { RefusalOfValid } from '../preflight/refused-valid.ts';
import type { Finding, ViolationDetail } from '../verdict/findings.ts';

/** A fault of a receiver that the preflight has seen: many checks would fail because of it. */
interface SeenFault {
  /** As a part of a sentence. */
  readonly what: string;
  readonly concerns: (check: Check) => boolean;
  /** The one of the concerned checks that fails; undefined when none of them is about this alone. */
  readonly reporting: (concerned: readonly Check[]) => Check | undefined;
  readonly detail: ViolationDetail & Required<Pick<ViolationDetail, 'diagnosis'>>;
  /** What to do when no check fails. */
  readonly remedy: string;
}

/** Checks of these expect nothing else than a 2xx for valid deliveries. */
const ABOUT_VALID = [
  'signature.message.verified',
  'signature.raw-bytes',
  'receiver.valid.acknowledged',
];
/** The contract says less about test events. */
const ABOUT_TESTS = ['receiver.test-event.acknowledged'];
/** Checks of these expect a refusal by the signature, or by the timestamp. */
const ABOUT_SIGNATURES =
  /^(signature\.(message\.other-|header\.|digest\.|version-prefix)|receiver\.refused\.)/;
const ABOUT_TIMES = /^signature\.timestamp\.(?!within-tolerance)/;
const ABOUT_SECRETS = 'signature.message.other-secret';

/**
 * The finding of a check of a receiver that refuses every valid delivery, or accepts every forged one: one of the selected
 * checks reports it, and the others refer to that. Null for other checks and receivers.
 */
export function seenBefore(
  check: Check,
  selected: readonly Check[],
  { receiver }: Discovery,
): Finding | null {
  const fault = receiver === null ? null : faultOf(receiver);
  if (fault === null || check.side !== 'receiver' || !fault.concerns(check)) return null;
  const { what, concerns, detail, remedy } = fault;
  const reporting = fault.reporting(
    selected.filter((one) => one.side === 'receiver' && concerns(one)),
  );
  if (reporting === undefined) {
    const message = `${what}. ${detail.diagnosis.cause}`;
    return { kind: 'could-not-run', message, remedies: [{ text: remedy }] };
  }
  // Several deliveries have shown it.
  if (reporting === check) return { kind: 'violation', detail, confirmed: 2, steps: [] };
  return {
    kind: 'could-not-run',
    message: `${what}: see ${reporting.id}`,
    remedies: [checkRemedy(reporting.id)],
  };
}

function faultOf({ refusal, forgery }: NonNullable<Discovery['receiver']>): SeenFault | null {
  if (refusal !== null) return refusesValid(refusal);
  return forgery === null ? null : acceptsForged(forgery);
}

function refusesValid({ response, diagnosis, remedy, isAboutTests }: RefusalOfValid): SeenFault {
  const delivery = isAboutTests ? 'test event' : 'delivery';
  const actual = response === null ? 'a closed connection' : `status ${response.status}`;
  return {
    what: `the receiver refuses every valid ${delivery}`,
    concerns: () => true,
    reporting: (concerned) =>
      remedy === null ? firstOf(concerned, isAboutTests ? ABOUT_TESTS : ABOUT_VALID) : undefined,
    detail: {
      expected: `a 2xx for a valid ${delivery}`,
      actual: `${actual} for every one`,
      diagnosis,
      ...(response === null ? {} : { exchange: response.exchange }),
    },
    remedy: remedy ?? diagnosis.fix,
  };
}

function acceptsForged({ response, isAnyTime }: AcceptedForgery): SeenFault {
  const old = isAnyTime ? ', and one of a day ago' : '';
  const fix =
    'Verify id, timestamp and raw body before anything else, and respond with a 4xx when that fails. If verification is off in this environment, turn it on.';
  return {
    what: 'the receiver accepts every forged delivery',
    concerns: ({ requirements: [primary] }) =>
      ABOUT_SIGNATURES.test(primary) || (isAnyTime && ABOUT_TIMES.test(primary)),
    reporting: (concerned) => firstOf(concerned, [ABOUT_SECRETS]) ?? concerned[0],
    detail: {
      expected: 'anything but a 2xx for a forged delivery',
      actual: `status ${response.status} for a delivery that another secret signs, one with a made-up digest, one whose body was changed after signing${old}`,
      diagnosis: {
        cause: 'The receiver verifies no signature, or does not use the result.',
        fix,
      },
      exchange: response.exchange,
    },
    remedy: fix,
  };
}

/** The first check of the first of these requirements that has one. */
function firstOf(checks: readonly Check[], requirements: readonly string[]): Check | undefined {
  return requirements
    .flatMap((requirement) => checks.filter((check) => check.requirements[0] === requirement))
    .at(0);
}
