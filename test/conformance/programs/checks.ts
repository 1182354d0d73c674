import { CouldNotRun, NotApplicable, Violation } from '@hookproof/conformance';
import type { Check } from '@hookproof/conformance';
import type { Requirement } from '@hookproof/spec/requirements';

export const requirements: readonly Requirement[] = (['must', 'should', 'may'] as const).map(
  (keyword) => ({
    id: `inbox.${keyword}`,
    keyword,
    side: 'api',
    clause: 'Limits',
    rule: `A rule that binds as ${keyword}.`,
  }),
);

/** A reading check of the API; `more` overrides its properties. */
export function check(id: string, run: Check['run'], more: Partial<Check> = {}): Check {
  return {
    id,
    requirements: ['inbox.must'],
    side: 'api',
    title: `does ${id}`,
    access: 'read',
    needs: ['key.main'],
    run,
    ...more,
  };
}

export const passes: Check = check('api.passes', async ({ api }) => {
  await api.send({ path: '/v1/templates' });
});

export const violates: Check = check('api.violates', async ({ api }) => {
  const { exchange } = await api.send({ path: '/v1/templates', query: { limit: 101 } });
  throw new Violation({ expected: '400', actual: '200', exchange });
});

export const advises: Check = { ...violates, id: 'api.advises', requirements: ['inbox.should'] };
export const informs: Check = { ...violates, id: 'api.informs', requirements: ['inbox.may'] };

export const flaky: Check = check('api.flaky', async ({ attempt }) => {
  if (attempt === 1) throw new Violation({ expected: '400', actual: '200' });
});

export const throws: Check = check('api.throws', async () => {
  throw new RangeError('a mistake in the check');
});

export const hangs: Check = check('api.hangs', () => new Promise(() => {}), {
  timeoutMilliseconds: 50,
});

export const lacksKey: Check = check('api.lacks-key', async () => {}, { needs: ['key.reviewer'] });
export const lacksControl: Check = check('api.lacks-control', async () => {}, {
  needs: ['control'],
});
export const asksLate: Check = check('api.asks-late', async () => {
  throw new CouldNotRun('no such thing', '--thing');
});
export const doesNotApply: Check = check('api.does-not-apply', async () => {
  throw new NotApplicable('this target has no such thing');
});

export const sneaky: Check = check('api.sneaky', async ({ api }) => {
  await api.send({ method: 'POST', path: '/v1/files', json: {} });
});
export const swallows: Check = check('api.swallows', async ({ api }) => {
  await api.send({ method: 'DELETE', path: '/v1/files/1' }).catch(() => {});
});
export const escapes: Check = check('api.escapes', async ({ api }) => {
  await api.send({ path: '@127.0.0.2:9/v1/files' });
});
export const writes: Check = check(
  'api.writes',
  async ({ api }) => {
    await api.send({ method: 'PATCH', path: '/v1/automations/1', json: { folderId: null } });
  },
  { access: 'write' },
);
export const deletes: Check = check(
  'api.deletes',
  async ({ api }) => {
    await api.send({ method: 'DELETE', path: '/v1/files/1' });
  },
  { access: 'delete' },
);
export const sends: Check = check('sender.sends', async () => {}, {
  side: 'sender',
  needs: ['control'],
});
