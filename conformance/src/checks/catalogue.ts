import type { Check } from '../check-kit/check.ts';
import { operationChecks } from './api/operations/exists.ts';
import { agentChecks } from './api/lists/agent.ts';
import { agentSearchChecks } from './api/lists/agent-search.ts';
import { refusedKeyChecks } from './api/auth/refused-keys.ts';
import { authCheckChecks } from './api/auth/key-identity.ts';
import { automationNameChecks } from './api/lists/automation-name.ts';
import { folderMoveChecks } from './api/automations/folder.ts';
import { refusedMoveChecks } from './api/automations/refused.ts';
import { exchangeChecks } from './api/envelope/exchange.ts';
import { envelopeIssueChecks } from './api/envelope/issue.ts';
import { experimentChecks } from './api/datasets/experiment.ts';
import { fileContentChecks } from './api/files/content.ts';
import { fileLifetimeChecks } from './api/files/lifetime.ts';
import { fileMetadataChecks } from './api/files/metadata.ts';
import { tenantAliasChecks } from './api/tenant/alias.ts';
import { foreignPartChecks } from './api/tenant/foreign-part.ts';
import { foreignIdChecks } from './api/tenant/foreign-id.ts';
import { inboxChecks } from './api/lists/inbox.ts';
import { pageParameterChecks } from './api/lists/page-parameters.ts';
import { pageSizeChecks } from './api/lists/page-size.ts';
import { pagesChecks } from './api/lists/pages.ts';
import { reviewDetailChecks } from './api/reviews/detail.ts';
import { reviewChangeChecks } from './api/reviews/updates.ts';
import { reviewLifecycleChecks } from './api/reviews/lifecycle.ts';
import { reviewRefusalChecks } from './api/reviews/refused.ts';
import { runChecks } from './api/runs/full-result.ts';
import { scopeChecks } from './api/auth/scope.ts';
import { tenantChecks } from './api/tenant/tenant.ts';
import { uploadCompletionChecks } from './api/files/upload-completion.ts';
import { expectedRenameChecks } from './api/datasets/expected-rename.ts';
import { renameRefusalChecks } from './api/datasets/rename-refused.ts';
import { inputDeleteChecks } from './api/datasets/input-delete.ts';
import { reviewWriteBackChecks } from './api/datasets/review-write-back.ts';
import { agentAliasChecks, datasetExportChecks } from './api/datasets/export.ts';
import { feedbackCopyChecks } from './api/runs/feedback-copy.ts';
import { runReviewChecks } from './api/runs/review.ts';
import { conflictChecks } from './api/status/conflict.ts';
import { internalErrorChecks } from './api/status/internal-error.ts';
import { withoutPageChecks } from './api/lists/without-page.ts';
import { templateChecks } from './api/lists/template.ts';
import { passingChecks, rateLimitChecks } from './api/status/rate-limit.ts';
import { malformedBodyChecks } from './api/status/malformed-body.ts';
import { sizeCapChecks } from './api/status/size-cap.ts';
import { unknownIdChecks } from './api/status/unknown-id.ts';
import { receiverDeliveryChecks } from './receiver/acknowledged.ts';
import { receiverEffectChecks } from './receiver/effect.ts';
import { receiverForgedChecks } from './receiver/forged.ts';
import { receiverSignatureChecks } from './receiver/signature.ts';
import { receiverTimestampChecks } from './receiver/timestamp.ts';
import { receiverOrderChecks } from './receiver/order.ts';
import { receiverRefusedEffectChecks } from './receiver/refused-effect.ts';
import { receiverShapeChecks } from './receiver/shapes.ts';
import { receiverSizeChecks } from './receiver/size.ts';
import { senderAsynchronyChecks } from './sender/asynchronous.ts';
import { senderEndChecks } from './sender/end.ts';
import { senderOrderChecks } from './sender/created-at-order.ts';
import { senderEnvelopeChecks } from './sender/envelope.ts';
import { senderCreatedChecks } from './sender/run-created.ts';
import { senderChangedChecks } from './sender/status-changed.ts';
import { senderHeaderChecks } from './sender/header.ts';
import { senderEndpointChecks } from './sender/endpoints.ts';
import { senderOutputChecks } from './sender/output.ts';
import { senderRetriedEventChecks } from './sender/retried-event.ts';
import { senderRunChecks } from './sender/run.ts';
import { senderSignatureChecks } from './sender/signature.ts';
import { senderRedeliveryChecks } from './sender/redelivery.ts';
import { senderRetryChecks } from './sender/retry.ts';
import { senderSilenceChecks } from './sender/silent.ts';
import { senderTerminalChecks } from './sender/terminal.ts';
import { senderTestEventChecks } from './sender/test-event.ts';
import { senderTimeoutChecks } from './sender/timeout.ts';

/**
 * Every check of the suite, in the order of the report.
 *
 * @example
 * ```ts
 * import { checks } from '@hookproof/conformance';
 *
 * const readOnly = checks.filter(({ access }) => access === 'read');
 * console.log(readOnly.map(({ id, title }) => `${id} ${title}`));
 * ```
 */
export const checks: readonly Check[] = [
  ...authCheckChecks,
  ...operationChecks,
  ...refusedKeyChecks,
  ...scopeChecks,
  ...tenantChecks,
  ...foreignIdChecks,
  ...foreignPartChecks,
  ...tenantAliasChecks,
  ...unknownIdChecks,
  ...malformedBodyChecks,
  ...envelopeIssueChecks,
  ...pageParameterChecks,
  ...pageSizeChecks,
  ...pagesChecks,
  ...inboxChecks,
  ...automationNameChecks,
  ...agentChecks,
  ...agentSearchChecks,
  ...reviewChangeChecks,
  ...reviewDetailChecks,
  ...reviewLifecycleChecks,
  ...reviewRefusalChecks,
  ...folderMoveChecks,
  ...refusedMoveChecks,
  ...runChecks,
  ...fileMetadataChecks,
  ...fileContentChecks,
  ...fileLifetimeChecks,
  ...uploadCompletionChecks,
  ...experimentChecks,
  ...datasetExportChecks,
  ...expectedRenameChecks,
  ...renameRefusalChecks,
  ...inputDeleteChecks,
  ...reviewWriteBackChecks,
  ...runReviewChecks,
  ...feedbackCopyChecks,
  ...conflictChecks,
  ...sizeCapChecks,
  ...rateLimitChecks,
  ...passingChecks,
  ...templateChecks,
  ...withoutPageChecks,
  ...agentAliasChecks,
  ...internalErrorChecks,
  ...exchangeChecks,
  // The first ones open a scene each: on a real clock, these wait at the same time.
  ...senderEndChecks,
  ...senderEndpointChecks,
  ...senderHeaderChecks,
  ...senderSignatureChecks,
  ...senderEnvelopeChecks,
  ...senderOrderChecks,
  ...senderRunChecks,
  ...senderOutputChecks,
  ...senderCreatedChecks,
  ...senderChangedChecks,
  ...senderTerminalChecks,
  ...senderSilenceChecks,
  ...senderTestEventChecks,
  ...senderAsynchronyChecks,
  ...senderRetryChecks,
  ...senderRetriedEventChecks,
  ...senderTimeoutChecks,
  ...senderRedeliveryChecks,
  // Checks of effects wait for the receiver while the others run: those of late ones wait longest.
  ...receiverEffectChecks,
  ...receiverOrderChecks,
  ...receiverRefusedEffectChecks,
  ...receiverSignatureChecks,
  ...receiverForgedChecks,
  ...receiverTimestampChecks,
  ...receiverDeliveryChecks,
  ...receiverShapeChecks,
  ...receiverSizeChecks,
];
