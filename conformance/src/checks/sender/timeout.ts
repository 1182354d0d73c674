import type { Check } from '../../check.ts';
import { NotApplicable } from '../../findings.ts';
import { senderCheck } from './sender-check.ts';
import { onStage } from './stage.ts';

const GIVING_UP = 'the sender to give up a delivery that is not answered';

/** An endpoint that takes a delivery and leaves it unanswered. */
export const senderTimeoutChecks: readonly Check[] = [
  senderCheck(
    'retry.on-timeout',
    ['delivery.retry.timeout'],
    'a try that the sender gives up for want of an answer is followed by another',
    async (context) => {
      if ((await context.control.clock()).mode === 'real') {
        throw new NotApplicable(
          'after what time a sender gives up is not stated: judged where its clock is virtual',
        );
      }
      await onStage(
        context,
        async (stage) => {
          const run = await stage.createRun();
          const tries = (): number => stage.about(run).length;
          await stage.until(`an event of ${run.id}`, () => tries() > 0);
          await stage.until(GIVING_UP, () => tries() > 1 || stage.listener.held === 0);
          await stage.demand(`a second try for the event of ${run.id}`, () => tries() > 1);
        },
        { script: (_delivery, tries) => (tries === 1 ? 'hold' : { status: 204 }) },
      );
    },
  ),
];
