import { clockRules } from './clock.ts';
import { crowdRules } from './crowd.ts';
import { deadlineRules } from './deadline.ts';
import { eventRules } from './event.ts';
import { faultScopeRules } from './fault-scope.ts';
import { faultRules } from './fault.ts';
import { headerRules } from './header.ts';
import { limitRules } from './limit.ts';
import { pathologyScopeRules } from './pathology-scope.ts';
import { pathologyRules } from './pathology.ts';
import { redeliveryRules } from './redelivery.ts';
import { reorderRules } from './reorder.ts';
import { restartRules } from './restart.ts';
import { retryAfterRules } from './retry-after.ts';
import { retryRules } from './retry.ts';
import type { Rule } from './rule.ts';
import { silenceRules } from './silence.ts';
import { sinkRules } from './sink.ts';
import { targetRules } from './target.ts';
import { waitRules } from './wait.ts';

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
  ...pathologyRules,
  ...pathologyScopeRules,
  ...reorderRules,
  ...faultRules,
  ...faultScopeRules,
  ...limitRules,
  ...clockRules,
  ...waitRules,
  ...sinkRules,
];
