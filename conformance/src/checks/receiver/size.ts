import { area } from '../../check-kit/area.ts';
import type { Check, CheckContext } from '../../check-kit/check.ts';
import { runEvent } from '../../signing/run-event.ts';
import type { SuiteEvent } from '../../signing/run-event.ts';
import { NotApplicable } from '../../verdict/findings.ts';
import {
  assumeAccepted,
  eventNow,
  expectAccepted,
  isAccepted,
  isTemporary,
  responsesTo,
  signed,
  uniqueName,
} from './deliver.ts';
import type { Settled } from './deliver.ts';

const size = area('receiver.event', { access: 'read', needs: ['receiver'] });

const KIB = 1_024;
/** Above an event without an output, which every receiver must take. */
const SMALL = [0, 1];
const ORDINARY = [8, 32];
const LARGE = [64, 100, 200];

/** Bodies of several sizes. The contract states no maximum, so that a receiver can have one. */
export const receiverSizeChecks: readonly Check[] = [
  size.check({
    name: 'sizes',
    requirements: ['receiver.event.output', 'signature.raw-bytes'],
    title: 'accepts an output of up to 32 KiB',
    async run(context) {
      for (const kib of SMALL) {
        const event = eventOfSize(context, kib);
        await expectAccepted(context, signed(context, event), `an output of ${kib} KiB`);
      }
      await expectUpToMaximum(context, ORDINARY);
    },
  }),
  size.check({
    name: 'large',
    requirements: ['receiver.event.large'],
    title: 'accepts an output of 200 KiB',
    run: (context) => expectUpToMaximum(context, LARGE),
  }),
];

/** receiver.other-requests: a receiver may refuse a body that is too large for it, with 413 or by closing the connection. */
async function expectUpToMaximum(context: CheckContext, sizes: readonly number[]): Promise<void> {
  for (const kib of sizes) {
    const make = signed(context, eventOfSize(context, kib));
    const responses = await responsesTo(context, make, 'uncertain');
    const last = responses.at(-1) ?? null;
    if (isAccepted(last)) continue;
    // What a receiver says under load is said of no size, so that an earlier response counts.
    if ((isTemporary(last) ? responses : [last]).some(isTooLarge)) {
      await assumeAccepted(context, eventNow(context, 'alive'));
      throw new NotApplicable(`the receiver has a maximum size below ${kib} KiB`);
    }
    await expectAccepted(context, make, `an output of ${kib} KiB`);
  }
}

function isTooLarge(response: Settled): boolean {
  return response === null || response.status === 413;
}

/** Characters of two and three bytes, so that no chunk of the body ends with each of them whole. */
function eventOfSize(context: CheckContext, kib: number): SuiteEvent {
  const output = 'aé€'.repeat(Math.floor((kib * KIB) / 6));
  return runEvent({
    name: uniqueName(context, `size${kib}`),
    test: true,
    previousStatus: 'finalizing',
    status: 'completed',
    at: context.now(),
    run: { output },
  });
}
