import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check } from '../../../check-kit/check.ts';
import { assumeSuccess, expectEqual, isSuccess, violation } from '../../../check-kit/expect.ts';
import { AGENTS, INBOX, readPage, TEMPLATES, listArea } from '../operations/lists.ts';
import type { PagedList } from '../operations/lists.ts';
import { openSandbox } from '../operations/sandbox.ts';
import { move } from '../operations/automations.ts';
import { patchReview, readReview } from '../operations/reviews.ts';

const tenant = area('api.tenant', { access: 'read', needs: ['key.main', 'key.otherTenant'] });

const UNKNOWN_AUTOMATION = 'wf_unknown';

/** Keys cannot see or change what belongs to another tenant. */
export const tenantChecks: readonly Check[] = [
  tenant.check({
    name: 'inbox-isolated',
    requirements: ['auth.tenant.isolation'],
    title: 'the inbox lists nothing of another tenant',
    needs: ['key.main', 'key.otherTenant', 'fixture.otherTenantReviewId'],
    async run(context) {
      const id = context.fixture('otherTenantReviewId');
      const query = { limit: 100, offset: 0 };
      const theirs = await context.api.sample({ path: INBOX.path, query, key: 'otherTenant' });
      const mine = await context.api.sample({ path: INBOX.path, query });
      expectDisjoint(INBOX, mine, theirs);
      if (readPage(INBOX, mine).ids.includes(id)) {
        throw violation(`no ${id} of another tenant`, 'the inbox lists it', mine);
      }
    },
  }),
  listIsolated(TEMPLATES, 'template.list.tenant'),
  listIsolated(AGENTS, 'agent.list.lists'),
  tenant.check({
    name: 'foreign-review-refused',
    requirements: ['auth.tenant.isolation'],
    title: 'treats a review request of another tenant as unknown and leaves it unchanged',
    access: 'write',
    exclusive: 'without-worlds',
    needs: ['key.main', 'key.otherTenant', 'fixture.openReviewId'],
    async run(context) {
      const sandbox = await openSandbox(context);
      const id = sandbox.fixture('openReviewId');
      const { entry: before } = await readReview(sandbox, sandbox.key, id);
      const change = { title: String(before['title']) };
      assumeSuccess(await patchReview(sandbox, before, change));
      const probe = { title: 'Changed by another tenant' };
      const foreign = await patchReview(sandbox, before, probe, sandbox.otherTenantKey);
      const unknown = await patchReview(sandbox, { ...before, id: 'unknown-review' }, probe);
      expectRefusedLikeUnknown(foreign, unknown);
      const { entry, response } = await readReview(sandbox, sandbox.key, id);
      expectEqual('title', entry['title'], before['title'], response);
    },
  }),
  tenant.check({
    name: 'foreign-automation-refused',
    requirements: ['auth.tenant.isolation'],
    title: 'treats an automation of another tenant as unknown',
    access: 'write',
    needs: ['control', 'key.otherTenant', 'fixture.workflowId'],
    async run(context) {
      const sandbox = await openSandbox(context);
      const id = sandbox.fixture('workflowId');
      assumeSuccess(await move(sandbox, id, { folderId: null }));
      const foreign = await move(sandbox, id, { folderId: null }, sandbox.otherTenantKey);
      const unknown = await move(sandbox, UNKNOWN_AUTOMATION, { folderId: null });
      expectRefusedLikeUnknown(foreign, unknown);
    },
  }),
];

function listIsolated(list: PagedList, requirement: string): Check {
  return listArea(list).check({
    name: 'tenant-isolated',
    requirements: [requirement],
    title: `${list.title} lists nothing of another tenant`,
    needs: [...list.needs, 'key.otherTenant'],
    async run({ api }) {
      const query = { limit: 100, offset: 0 };
      const theirs = await api.sample({ path: list.path, query, key: 'otherTenant' });
      expectDisjoint(list, await api.sample({ path: list.path, query }), theirs);
    },
  });
}

function expectRefusedLikeUnknown(foreign: ApiResponse, unknown: ApiResponse): void {
  if (isSuccess(foreign) || foreign.status !== unknown.status) {
    const expected = `status ${unknown.status}, as for an unknown id`;
    throw violation(expected, `status ${foreign.status}`, foreign);
  }
}

function expectDisjoint(list: PagedList, mine: ApiResponse, theirs: ApiResponse): void {
  assumeSuccess(mine);
  assumeSuccess(theirs);
  const { ids } = readPage(list, theirs);
  const shared = readPage(list, mine).ids.find((id) => ids.includes(id));
  if (shared !== undefined) {
    throw violation('entries of its own tenant only', `${shared} of another tenant`, mine);
  }
}
