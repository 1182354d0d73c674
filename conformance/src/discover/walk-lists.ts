import type { ApiClient, ApiRequest } from '../clients/api-client.ts';
import { factsFrom } from '../options/facts.ts';
import type { Fact, FixtureName, KeyName } from '../options/facts.ts';
import { Inconclusive } from '../verdict/findings.ts';

/** The fixtures that lists can show. */
export const LISTED_FIXTURES: readonly FixtureName[] = [
  'reviewAutomationId',
  'draftReviewId',
  'openReviewId',
  'pausedReviewId',
  'closedReviewId',
  'workflowId',
  'datasetAutomationId',
  'templateId',
  'agentId',
  'agentSlug',
  'otherTenantReviewId',
  'otherTenantAutomationId',
];

type Found = Partial<Record<FixtureName, Fact>>;
type Row = ReadonlyMap<string, unknown>;

/** Reads ids from the first page of each list. Ids that a list does not show stay unknown. */
export async function walkLists(
  api: ApiClient,
  available: { readonly app: boolean; readonly otherTenant: boolean },
): Promise<Found> {
  return {
    ...(available.otherTenant
      ? otherTenantOf(await rows(api, '/v1/dataset-review-requests', 'data', 'otherTenant'))
      : {}),
    ...reviewsOf(await rows(api, '/v1/dataset-review-requests', 'data')),
    ...templatesOf(await rows(api, '/v1/templates', 'items')),
    ...(available.app ? agentsOf(await rows(api, '/api/v1/agents', 'data')) : {}),
  };
}

/**
 * All reviews belong to one automation, because the update operation names both. The checks write and put back texts, so
 * a request that has one comes first, and the first automation with such an open request.
 */
function reviewsOf(listed: readonly Row[]): Found {
  const reviews = [
    ...listed.filter(hasInstructions),
    ...listed.filter((one) => !hasInstructions(one)),
  ];
  const usable = reviews.filter((review) => hasInstructions(review) && isOpen(review));
  const firstId = text(listed[0], 'automationId');
  const isFirstUsable = usable.some((review) => text(review, 'automationId') === firstId);
  const automationId = isFirstUsable ? firstId : (text(usable[0], 'automationId') ?? firstId);
  const siblings = reviews.filter((review) => text(review, 'automationId') === automationId);
  const withStatus = (status: string): string | undefined =>
    text(
      siblings.find((review) => text(review, 'status') === status),
      'id',
    );
  return factsFrom(
    {
      reviewAutomationId: automationId,
      draftReviewId: withStatus('draft'),
      openReviewId: withStatus('open'),
      pausedReviewId: withStatus('paused'),
      closedReviewId: withStatus('closed'),
      // An open request shows that the dataset of its automation exists.
      datasetAutomationId: text(listed.find(isOpen), 'automationId'),
      workflowId: listed
        .map((review) => text(review, 'automationId'))
        .find((id) => id?.startsWith('wf_')),
    },
    'GET /v1/dataset-review-requests',
  );
}

function isOpen(review: Row): boolean {
  return text(review, 'status') === 'open';
}

function hasInstructions(review: Row): boolean {
  return text(review, 'instructions') !== undefined;
}

function otherTenantOf(reviews: readonly Row[]): Found {
  return factsFrom(
    {
      otherTenantReviewId: text(reviews[0], 'id'),
      otherTenantAutomationId: text(reviews[0], 'automationId'),
    },
    'GET /v1/dataset-review-requests with the key of the other tenant',
  );
}

function templatesOf(templates: readonly Row[]): Found {
  return factsFrom({ templateId: text(templates[0], 'id') }, 'GET /v1/templates');
}

function agentsOf(agents: readonly Row[]): Found {
  return factsFrom(
    { agentId: text(agents[0], 'id'), agentSlug: text(agents[0], 'slug') },
    'GET /api/v1/agents',
  );
}

async function rows(
  api: ApiClient,
  path: string,
  member: string,
  key: KeyName = 'main',
): Promise<readonly Row[]> {
  const request: ApiRequest = { path, query: { limit: 100 }, key };
  try {
    const { json } = await api.sample(request);
    const list = new Map(Object.entries(Object(json))).get(member);
    return Array.isArray(list) ? list.map((row) => new Map(Object.entries(Object(row)))) : [];
  } catch (error) {
    if (error instanceof Inconclusive) return [];
    throw error;
  }
}

function text(row: Row | undefined, name: string): string | undefined {
  const value = row?.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
