import { expect, test } from 'vitest';

import { area } from '../../../conformance/src/check-kit/area.ts';

const run = (): Promise<void> => Promise.resolve();
const inbox = area('api.inbox', { access: 'read', needs: ['key.main'], exclusive: 'always' });
const own = { name: 'order', requirements: ['inbox.order'], title: 'sorts', run } as const;

test('a check has the prefix, the side and the frame of its area', () => {
  expect(inbox.check(own)).toEqual({
    id: 'api.inbox.order',
    side: 'api',
    access: 'read',
    needs: ['key.main'],
    exclusive: 'always',
    requirements: ['inbox.order'],
    title: 'sorts',
    run,
  });
});

test("a check's own values take precedence over the frame", () => {
  const check = inbox.check({ ...own, access: 'write', needs: ['control'] });
  expect(check).toMatchObject({ access: 'write', needs: ['control'], exclusive: 'always' });
});

test('an area must start with a side', () => {
  // @ts-expect-error -- the type names the three sides
  expect(() => area('spec.inbox', { access: 'read', needs: [] })).toThrow(
    'area spec.inbox must start with one of api, sender, receiver',
  );
});
