import type { Requirements } from '../../../check-kit/check.ts';

/** The requirements that the body of a success meets, by operation. */
export const RESPONSE_REQUIREMENTS: Readonly<Record<string, Requirements>> = {
  inbox: [
    'inbox.item.fields',
    'versioning.wire.json-bodies',
    'versioning.wire.timestamps-are-strings',
  ],
  templates: [
    'template.item.fields',
    'versioning.wire.json-bodies',
    'versioning.wire.timestamps-are-strings',
  ],
  agents: [
    'agent.item.fields',
    'versioning.wire.json-bodies',
    'versioning.wire.timestamps-are-strings',
  ],
  'auth-check': [
    'auth-check.fields',
    'versioning.wire.base-address',
    'versioning.wire.json-bodies',
  ],
  usage: ['run-usage.response', 'run-usage.fields', 'versioning.wire.json-bodies'],
  file: ['file.fields', 'versioning.wire.json-bodies', 'versioning.wire.timestamps-are-strings'],
  experiment: ['experiment.fields', 'versioning.wire.json-bodies'],
  'review-update': [
    'review-update.response.detail',
    'review-update.detail.fields',
    'review-update.item.review-id',
    'review-update.progress.counters',
    'versioning.wire.json-bodies',
    'versioning.wire.timestamps-are-strings',
  ],
  move: [
    'automation-move.response',
    'automation-move.automation.fields',
    'automation-move.automation.type-and-id',
    'versioning.wire.json-bodies',
    'versioning.wire.timestamps-are-strings',
  ],
  rename: ['expected-rename.response', 'versioning.wire.json-bodies'],
  'review-clear': ['run-review.clear.response', 'run-review.fields', 'versioning.wire.json-bodies'],
  feedback: ['feedback-copy.response', 'versioning.wire.json-bodies'],
  'upload-complete': ['upload-complete.response', 'file.fields', 'versioning.wire.json-bodies'],
};
