import type { Check } from '../../check-kit/check.ts';
import { NotApplicable } from '../../verdict/findings.ts';
import { sender } from './sender-check.ts';
import { withRig } from './rig.ts';

const TIMEOUT = 'timeout of a delivery without a response';

/** An endpoint that accepts a delivery and sends no response. */
export const senderTimeoutChecks: readonly Check[] = [
  sender.check({
    name: 'retry.on-timeout',
    requirements: ['delivery.retry.timeout'],
    title: 'retries a delivery that times out',
    async run(context) {
      if ((await context.control.clock()).mode === 'real') {
        throw new NotApplicable(
          'the contract states no delivery timeout: judged only on a virtual clock',
        );
      }
      await withRig(
        context,
        async (rig) => {
          const run = await rig.createRun();
          const attempts = (): number => rig.about(run).length;
          await rig.until(`event of ${run.id}`, () => attempts() > 0);
          await rig.until(TIMEOUT, () => attempts() > 1 || rig.listener.held === 0);
          await rig.demand(`second attempt for the event of ${run.id}`, () => attempts() > 1);
        },
        { script: (_delivery, attempt) => (attempt === 1 ? 'hold' : { status: 204 }) },
      );
    },
  }),
];
