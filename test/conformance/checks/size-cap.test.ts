import { checks } from '@hookproof/conformance';
import type { CheckContext } from '@hookproof/conformance';
import { expect, test } from 'vitest';

test('a size limit that is none names the line of the fixtures file', async () => {
  const check = checks.find(({ id }) => id === 'api.status-code.size-cap');
  const context: CheckContext = Object.assign(Object.create(null), { fixture: () => '12' });
  await expect(check?.run(context)).rejects.toMatchObject({
    message: 'bodyLimitBytes must be an integer of at least 1024, got 12',
    remedy: { need: 'bodyLimitBytes', inFixtures: true },
  });
});
