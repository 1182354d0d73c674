import type { CheckContext } from '../../../check-kit/check.ts';
import { fixtureOrNull } from './files.ts';
import { withParameter } from './operation.ts';
import type { ValidRequest } from './operation.ts';

/** The fixtures with the slug of a workflow. */
const SLUGS = [
  ['workflowId', 'workflowSlug'],
  ['datasetAutomationId', 'datasetAutomationSlug'],
] as const;

/** The request with `workflows.<slug>` in place of the id; none for an automation whose slug is unknown. */
export function byAlias(sandbox: CheckContext, valid: ValidRequest): readonly ValidRequest[] {
  const pair = SLUGS.find(([id]) => fixtureOrNull(sandbox, id) === valid.parameters['id']);
  const slug = valid.slug ?? (pair === undefined ? null : fixtureOrNull(sandbox, pair[1]));
  return slug === null ? [] : [withParameter(valid, 'id', `workflows.${slug}`)];
}
