import type { Check } from '../check.ts';
import { agentChecks } from './api/agent.ts';
import { authChecks } from './api/auth.ts';
import { authCheckChecks } from './api/auth-check.ts';
import { folderMoveChecks } from './api/automation-move/folder.ts';
import { refusedMoveChecks } from './api/automation-move/refused.ts';
import { envelopeChecks } from './api/envelope.ts';
import { envelopeIssueChecks } from './api/envelope-issue.ts';
import { inboxChecks } from './api/inbox.ts';
import { pageLimitChecks } from './api/page-limit.ts';
import { pageOffsetChecks } from './api/page-offset.ts';
import { pageSchemaChecks } from './api/page-schema.ts';
import { pageWalkChecks } from './api/page-walk.ts';
import { reviewDetailChecks } from './api/review-update/detail.ts';
import { reviewFieldChecks } from './api/review-update/fields.ts';
import { reviewLifecycleChecks } from './api/review-update/lifecycle.ts';
import { reviewRefusalChecks } from './api/review-update/refused.ts';
import { scopeChecks } from './api/scope.ts';
import { tenantChecks } from './api/tenant.ts';
import { receiverDeliveryChecks } from './receiver/delivery.ts';
import { receiverEffectChecks } from './receiver/effect.ts';
import { receiverSignatureChecks } from './receiver/signature.ts';
import { receiverTimestampChecks } from './receiver/timestamp.ts';
import { senderEndChecks } from './sender/end.ts';
import { senderEnvelopeChecks } from './sender/envelope.ts';
import { senderEventChecks } from './sender/event.ts';
import { senderHeaderChecks } from './sender/header.ts';
import { senderRedeliveryChecks } from './sender/redelivery.ts';
import { senderRetryChecks } from './sender/retry.ts';
import { senderSilenceChecks } from './sender/silent.ts';
import { senderTestEventChecks } from './sender/test-event.ts';

/** Every check of the suite, in the order of the report. */
export const checks: readonly Check[] = [
  ...authCheckChecks,
  ...authChecks,
  ...scopeChecks,
  ...tenantChecks,
  ...envelopeChecks,
  ...envelopeIssueChecks,
  ...pageSchemaChecks,
  ...pageLimitChecks,
  ...pageOffsetChecks,
  ...pageWalkChecks,
  ...inboxChecks,
  ...agentChecks,
  ...reviewFieldChecks,
  ...reviewDetailChecks,
  ...reviewLifecycleChecks,
  ...reviewRefusalChecks,
  ...folderMoveChecks,
  ...refusedMoveChecks,
  ...senderHeaderChecks,
  ...senderEnvelopeChecks,
  ...senderEventChecks,
  ...senderSilenceChecks,
  ...senderTestEventChecks,
  ...senderRetryChecks,
  ...senderEndChecks,
  ...senderRedeliveryChecks,
  ...receiverSignatureChecks,
  ...receiverTimestampChecks,
  ...receiverDeliveryChecks,
  ...receiverEffectChecks,
];
