import type { Check } from '../check-kit/check.ts';
import type { Discovery } from '../discover/discover.ts';
import type { RefusalOfValid } from '../preflight/refused-valid.ts';
import type { Finding } from '../verdict/findings.ts';

/** Checks of these expect nothing else than a 2xx for valid deliveries. */
const ABOUT_VALID = [
  'signature.message.verified',
  'signature.raw-bytes',
  'receiver.valid.acknowledged',
];

/** The contract says less about test events. */
const ABOUT_TESTS = ['receiver.test-event.acknowledged'];

/**
 * The finding of a check of a receiver that refuses every valid delivery: one of the selected checks reports it, and the
 * others refer to that. Null for any other receiver.
 */
export function refusalOfValid(
  { id, side }: Check,
  selected: readonly Check[],
  { receiver }: Discovery,
): Finding | null {
  const refusal = receiver?.refusal ?? null;
  if (side !== 'receiver' || refusal === null) return null;
  const { diagnosis, remedy, isAboutTests } = refusal;
  const what = `the receiver refuses every valid ${isAboutTests ? 'test event' : 'delivery'}`;
  if (remedy !== null) {
    return { kind: 'could-not-run', message: `${what}. ${diagnosis.cause}`, remedies: [remedy] };
  }
  const reporting = (isAboutTests ? ABOUT_TESTS : ABOUT_VALID)
    .flatMap((requirement) =>
      selected.filter(({ requirements }) => requirements[0] === requirement),
    )
    .at(0);
  if (reporting === undefined) {
    const remedies = [diagnosis.fix];
    return { kind: 'could-not-run', message: `${what}. ${diagnosis.cause}`, remedies };
  }
  if (reporting.id === id) return violation(refusal);
  return {
    kind: 'could-not-run',
    message: `${what}: see ${reporting.id}`,
    remedies: [`make ${reporting.id} pass`],
  };
}

function violation({ response, diagnosis, isAboutTests }: RefusalOfValid): Finding {
  const actual = response === null ? 'a closed connection' : `status ${response.status}`;
  const detail = {
    expected: `a 2xx for a valid ${isAboutTests ? 'test event' : 'delivery'}`,
    actual: `${actual} for every one`,
    diagnosis,
    ...(response === null ? {} : { exchange: response.exchange }),
  };
  // An event of each type was refused.
  return { kind: 'violation', detail, confirmed: 2, steps: [] };
}
