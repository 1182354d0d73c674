import { crowdRules } from './crowd.ts';
import { deadlineRules } from './deadline.ts';
import { eventRules } from './event.ts';
import { headerRules } from './header.ts';
import { redeliveryRules } from './redelivery.ts';
import { restartRules } from './restart.ts';
import { retryAfterRules } from './retry-after.ts';
import { retryRules } from './retry.ts';
import type { Rule } from './rule.ts';
import { silenceRules } from './silence.ts';
import { targetRules } from './target.ts';

/** Every rule, in the order in which they are tried. */
export const rules: readonly Rule[] = [
  ...retryRules,
  ...retryAfterRules,
  ...deadlineRules,
  ...crowdRules,
  ...silenceRules,
  ...restartRules,
  ...redeliveryRules,
  ...targetRules,
  ...headerRules,
  ...eventRules,
];
