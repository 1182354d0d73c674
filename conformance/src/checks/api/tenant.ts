import type { ApiResponse } from '../../api-client.ts';
import type { Check, Requirements } from '../../check.ts';
import { expectControlPasses, expectEqual, isSuccess, violation } from '../expect.ts';
import { AGENTS, INBOX, readPage, TEMPLATES } from './list.ts';
import type { PagedList } from './list.ts';
import { openStage, readReview } from './stage.ts';
import { move } from './automation-move/move.ts';
import { patchReview } from './review-update/patch.ts';

const UNKNOWN_AUTOMATION = 'wf_that_nobody_made';

/** What belongs to another tenant does not exist for a key. */
export const tenantChecks: readonly Check[] = [
  {
    ...base('inbox-isolated'),
    title: 'the inbox shows nothing of another tenant',
    needs: ['key.main', 'key.otherTenant', 'fixture.otherTenantReviewId'],
    async run(context) {
      const id = context.fixture('otherTenantReviewId');
      const query = { limit: 100, offset: 0 };
      const theirs = await context.api.sample({ path: INBOX.path, query, key: 'otherTenant' });
      const mine = await context.api.sample({ path: INBOX.path, query });
      expectDisjoint(INBOX, mine, theirs);
      if (readPage(INBOX, mine).ids.includes(id)) {
        throw violation(`no ${id}, which is another tenant's`, 'it is listed', mine);
      }
    },
  },
  listIsolated(TEMPLATES, ['template.list.tenant']),
  listIsolated(AGENTS, ['agent.list.lists']),
  {
    ...base('foreign-review-refused'),
    title:
      "another tenant's key is answered as if a review request did not exist, and changes nothing",
    effect: 'write',
    exclusive: 'without-worlds',
    needs: ['key.main', 'key.otherTenant', 'fixture.openReviewId'],
    async run(context) {
      const stage = await openStage(context);
      const id = stage.fixture('openReviewId');
      const { entry: before } = await readReview(stage, stage.key, id);
      const change = { title: String(before['title']) };
      expectControlPasses(await patchReview(stage, before, change));
      const probe = { title: 'Changed by another tenant' };
      const foreign = await patchReview(stage, before, probe, stage.otherTenantKey);
      const unknown = await patchReview(stage, { ...before, id: 'review-that-nobody-made' }, probe);
      expectRefusedLikeUnknown(foreign, unknown);
      const { entry, response } = await readReview(stage, stage.key, id);
      expectEqual('title', entry['title'], before['title'], response);
    },
  },
  {
    ...base('foreign-automation-refused'),
    title: "another tenant's key is answered as if an automation did not exist",
    effect: 'write',
    needs: ['control', 'key.otherTenant', 'fixture.workflowId'],
    async run(context) {
      const stage = await openStage(context);
      const id = stage.fixture('workflowId');
      expectControlPasses(await move(stage, id, { folderId: null }));
      const foreign = await move(stage, id, { folderId: null }, stage.otherTenantKey);
      const unknown = await move(stage, UNKNOWN_AUTOMATION, { folderId: null });
      expectRefusedLikeUnknown(foreign, unknown);
    },
  },
];

function listIsolated(list: PagedList, requirements: Requirements): Check {
  return {
    id: `api.${list.area}.tenant-isolated`,
    requirements,
    side: 'api',
    title: `${list.title} shows nothing of another tenant`,
    effect: 'read',
    needs: [...list.needs, 'key.otherTenant'],
    async run({ api }) {
      const query = { limit: 100, offset: 0 };
      const theirs = await api.sample({ path: list.path, query, key: 'otherTenant' });
      expectDisjoint(list, await api.sample({ path: list.path, query }), theirs);
    },
  };
}

function expectRefusedLikeUnknown(foreign: ApiResponse, unknown: ApiResponse): void {
  if (isSuccess(foreign) || foreign.status !== unknown.status) {
    const expected = `status ${unknown.status}, as for an id that nobody has`;
    throw violation(expected, `status ${foreign.status}`, foreign);
  }
}

function expectDisjoint(list: PagedList, mine: ApiResponse, theirs: ApiResponse): void {
  expectControlPasses(mine);
  expectControlPasses(theirs);
  const { ids } = readPage(list, theirs);
  const shared = readPage(list, mine).ids.find((id) => ids.includes(id));
  if (shared !== undefined) {
    throw violation('entries of its own tenant alone', `${shared} of another tenant too`, mine);
  }
}

function base(name: string): Omit<Check, 'title' | 'run' | 'needs'> {
  return {
    id: `api.tenant.${name}`,
    requirements: ['auth.tenant.isolation'],
    side: 'api',
    effect: 'read',
  };
}
