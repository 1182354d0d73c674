import { expect } from 'vitest';

import type { Steps } from './walk.ts';

export const automationSteps: Steps = {
  async 'finds automations by a part of their name'({ client }) {
    const { body } = await client.call('GET', '/automations?search=INVOICE&limit=1&offset=0');
    expect(body).toMatchObject({
      total: expect.any(Number),
      limit: 1,
      offset: 0,
    });
    expect(body.data[0]).toMatchObject({
      slug: expect.stringContaining('invoice'),
    });
  },

  async 'reads the versions and the triggers of an automation'({ client, world }) {
    const id = world.fixtures.workflowId;
    const versions = (await client.call('GET', `/automations/${id}/versions`)).body;
    expect(versions).toMatchObject({
      total: expect.any(Number),
      limit: 50,
      offset: 0,
    });
    const current = versions.data.filter((one: { isCurrent?: boolean }) => one.isCurrent);
    expect(current).toMatchObject([{ automationId: id, id: expect.any(String) }]);
    const { body } = await client.call('GET', `/automations/${id}/triggers`);
    expect(body).toMatchObject({ automationId: id, type: 'workflow' });
    expect(Object.keys(body.triggers).toSorted()).toEqual(['api', 'cron', 'email', 'manual']);
  },

  async 'starts a run of a version'({ client, world }) {
    const id = world.fixtures.workflowId;
    const { data } = (await client.call('GET', `/automations/${id}/versions`)).body;
    const version = encodeURIComponent(data.at(-1).version);
    const { body } = await client.call('POST', `/runs?version=${version}`, {
      target: id,
    });
    expect(body).toMatchObject({
      finished: false,
      source: { version: data.at(-1).version },
    });
  },
};
