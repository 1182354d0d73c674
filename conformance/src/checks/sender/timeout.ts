import type { Check } from '../../check-kit/check.ts';
import { NotApplicable } from '../../verdict/findings.ts';
import { sender } from './sender-check.ts';
import { withRig } from './rig.ts';

const GIVING_UP = 'the sender to give up a delivery that is not answered';

/** An endpoint that takes a delivery and leaves it unanswered. */
export const senderTimeoutChecks: readonly Check[] = [
  sender.check({
    name: 'retry.on-timeout',
    requirements: ['delivery.retry.timeout'],
    title: 'retries a delivery that times out',
    async run(context) {
      if ((await context.control.clock()).mode === 'real') {
        throw new NotApplicable(
          'after what time a sender gives up is not stated: judged where its clock is virtual',
        );
      }
      await withRig(
        context,
        async (rig) => {
          const run = await rig.createRun();
          const tries = (): number => rig.about(run).length;
          await rig.until(`an event of ${run.id}`, () => tries() > 0);
          await rig.until(GIVING_UP, () => tries() > 1 || rig.listener.held === 0);
          await rig.demand(`a second try for the event of ${run.id}`, () => tries() > 1);
        },
        { script: (_delivery, tries) => (tries === 1 ? 'hold' : { status: 204 }) },
      );
    },
  }),
];
