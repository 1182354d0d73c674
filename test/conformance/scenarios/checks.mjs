import {
  CouldNotRun,
  NotApplicable,
  Violation,
} from '../../../conformance/dist/verdict/findings.js';

export const requirements = ['must', 'should', 'may'].map((keyword) => ({
  id: `inbox.${keyword}`,
  keyword,
  side: 'api',
  clause: 'Limits',
  rule: `A rule that binds as ${keyword}.`,
  checks: [],
}));

/** A check with everything ordinary but what is given. */
export function check(id, run, more = {}) {
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

export const passes = check('api.passes', async ({ api }) => {
  await api.send({ path: '/v1/templates' });
});

export const violates = check('api.violates', async ({ api }) => {
  const { exchange } = await api.send({ path: '/v1/templates', query: { limit: 101 } });
  throw new Violation({ expected: '400', actual: '200', exchange });
});

export const advises = { ...violates, id: 'api.advises', requirements: ['inbox.should'] };
export const informs = { ...violates, id: 'api.informs', requirements: ['inbox.may'] };

export const flaky = check('api.flaky', async ({ attempt }) => {
  if (attempt === 1) throw new Violation({ expected: '400', actual: '200' });
});

export const throws = check('api.throws', async () => {
  throw new RangeError('a mistake in the check');
});

export const hangs = check('api.hangs', () => new Promise(() => {}), { timeoutMilliseconds: 50 });

export const lacksKey = check('api.lacks-key', async () => {}, { needs: ['key.reviewer'] });
export const lacksControl = check('api.lacks-control', async () => {}, { needs: ['control'] });
export const asksLate = check('api.asks-late', async () => {
  throw new CouldNotRun('no such thing', '--thing');
});
export const doesNotApply = check('api.does-not-apply', async () => {
  throw new NotApplicable('this target has no such thing');
});

export const sneaky = check('api.sneaky', async ({ api }) => {
  await api.send({ method: 'POST', path: '/v1/files', json: {} });
});
export const swallows = check('api.swallows', async ({ api }) => {
  await api.send({ method: 'DELETE', path: '/v1/files/1' }).catch(() => {});
});
export const escapes = check('api.escapes', async ({ api }) => {
  await api.send({ path: '@127.0.0.2:9/v1/files' });
});
export const writes = check(
  'api.writes',
  async ({ api }) => {
    await api.send({ method: 'PATCH', path: '/v1/automations/1', json: { folderId: null } });
  },
  { access: 'write' },
);
export const deletes = check(
  'api.deletes',
  async ({ api }) => {
    await api.send({ method: 'DELETE', path: '/v1/files/1' });
  },
  { access: 'delete' },
);
export const sends = check('sender.sends', async () => {}, { side: 'sender', needs: ['control'] });
