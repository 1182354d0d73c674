import type { Check } from '../check.ts';
import { agentChecks } from './api/agent.ts';
import { agentSearchChecks } from './api/agent-search.ts';
import { authChecks } from './api/auth.ts';
import { authByIdChecks } from './api/auth-by-id.ts';
import { authCheckChecks } from './api/auth-check.ts';
import { automationNameChecks } from './api/automation-name.ts';
import { folderMoveChecks } from './api/automation-move/folder.ts';
import { refusedMoveChecks } from './api/automation-move/refused.ts';
import { envelopeChecks } from './api/envelope.ts';
import { envelopeIssueChecks } from './api/envelope-issue.ts';
import { experimentChecks } from './api/experiment.ts';
import { fileContentChecks } from './api/file/content.ts';
import { fileLifetimeChecks } from './api/file/lifetime.ts';
import { fileMetadataChecks } from './api/file/metadata.ts';
import { foreignReadChecks } from './api/foreign-read.ts';
import { inboxChecks } from './api/inbox.ts';
import { pageLimitChecks } from './api/page-limit.ts';
import { pageOffsetChecks } from './api/page-offset.ts';
import { pageSchemaChecks } from './api/page-schema.ts';
import { pageWalkChecks } from './api/page-walk.ts';
import { reviewDetailChecks } from './api/review-update/detail.ts';
import { reviewFieldChecks } from './api/review-update/fields.ts';
import { reviewLifecycleChecks } from './api/review-update/lifecycle.ts';
import { reviewRefusalChecks } from './api/review-update/refused.ts';
import { runChecks } from './api/run.ts';
import { scopeChecks } from './api/scope.ts';
import { tenantChecks } from './api/tenant.ts';
import { uploadCompletionChecks } from './api/upload/completion.ts';
import { usageChecks } from './api/usage.ts';
import { expectedRenameChecks } from './api/dataset/expected-rename.ts';
import { foreignDatasetChecks } from './api/dataset/foreign-dataset.ts';
import { inputDeleteChecks } from './api/dataset/input-delete.ts';
import { reviewWriteBackChecks } from './api/dataset/review-write-back.ts';
import { datasetExportChecks } from './api/export/dataset-export.ts';
import { feedbackCopyChecks } from './api/feedback/copy.ts';
import { runReviewChecks } from './api/run-review/clear.ts';
import { conflictChecks } from './api/status/conflict.ts';
import { internalErrorChecks } from './api/status/internal-error.ts';
import { rateLimitChecks } from './api/status/rate-limit.ts';
import { sizeCapChecks } from './api/status/size-cap.ts';
import { receiverDeliveryChecks } from './receiver/delivery.ts';
import { receiverEffectChecks } from './receiver/effect.ts';
import { receiverSignatureChecks } from './receiver/signature.ts';
import { receiverTimestampChecks } from './receiver/timestamp.ts';
import { receiverOrderChecks } from './receiver/order.ts';
import { senderAsynchronyChecks } from './sender/asynchronous.ts';
import { senderEndChecks } from './sender/end.ts';
import { senderEnvelopeChecks } from './sender/envelope.ts';
import { senderEventChecks } from './sender/event.ts';
import { senderHeaderChecks } from './sender/header.ts';
import { senderRedeliveryChecks } from './sender/redelivery.ts';
import { senderRetryChecks } from './sender/retry.ts';
import { senderSilenceChecks } from './sender/silent.ts';
import { senderTerminalChecks } from './sender/terminal.ts';
import { senderTestEventChecks } from './sender/test-event.ts';
import { senderTimeoutChecks } from './sender/timeout.ts';

/** Every check of the suite, in the order of the report. */
export const checks: readonly Check[] = [
  ...authCheckChecks,
  ...authChecks,
  ...authByIdChecks,
  ...scopeChecks,
  ...tenantChecks,
  ...envelopeChecks,
  ...envelopeIssueChecks,
  ...pageSchemaChecks,
  ...pageLimitChecks,
  ...pageOffsetChecks,
  ...pageWalkChecks,
  ...inboxChecks,
  ...automationNameChecks,
  ...agentChecks,
  ...agentSearchChecks,
  ...reviewFieldChecks,
  ...reviewDetailChecks,
  ...reviewLifecycleChecks,
  ...reviewRefusalChecks,
  ...folderMoveChecks,
  ...refusedMoveChecks,
  ...runChecks,
  ...usageChecks,
  ...fileMetadataChecks,
  ...fileContentChecks,
  ...fileLifetimeChecks,
  ...uploadCompletionChecks,
  ...experimentChecks,
  ...foreignReadChecks,
  ...datasetExportChecks,
  ...expectedRenameChecks,
  ...inputDeleteChecks,
  ...foreignDatasetChecks,
  ...reviewWriteBackChecks,
  ...runReviewChecks,
  ...feedbackCopyChecks,
  ...conflictChecks,
  ...sizeCapChecks,
  ...rateLimitChecks,
  ...internalErrorChecks,
  ...senderHeaderChecks,
  ...senderEnvelopeChecks,
  ...senderEventChecks,
  ...senderTerminalChecks,
  ...senderSilenceChecks,
  ...senderTestEventChecks,
  ...senderAsynchronyChecks,
  ...senderRetryChecks,
  ...senderTimeoutChecks,
  ...senderEndChecks,
  ...senderRedeliveryChecks,
  ...receiverSignatureChecks,
  ...receiverTimestampChecks,
  ...receiverDeliveryChecks,
  ...receiverEffectChecks,
  ...receiverOrderChecks,
];
