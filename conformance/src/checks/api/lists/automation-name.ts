import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import { assumeSuccess, expectEqual } from '../../../check-kit/expect.ts';
import { automationIn, move } from '../operations/automations.ts';
import { INBOX, readPage } from '../operations/lists.ts';
import { openSandbox } from '../operations/sandbox.ts';

const inboxArea = area('api.inbox', {
  // Only a move answers with an automation, and it cannot be undone: it needs a world to spare.
  access: 'write',
  needs: ['control'],
});

/** The name of an automation, as the inbox and as the automation itself tell it. */
export const automationNameChecks: readonly Check[] = [
  inboxArea.check({
    name: 'automation-name',
    requirements: ['inbox.item.automation-name'],
    title: 'automationName is the name of the owning automation, as a move of it returns it',
    async run(context) {
      const sandbox = await openSandbox(context);
      const { api, key } = sandbox;
      const query = { limit: 100, offset: 0 };
      const inbox = await api.send({ path: INBOX.path, key, query });
      assumeSuccess(inbox);
      const owned = readPage(INBOX, inbox).entries.find(({ automationId }) =>
        String(automationId).startsWith('wf_'),
      );
      if (owned === undefined) {
        throw new CouldNotRun(
          'the control interface made a world without a review request of a workflow',
          'let POST /worlds of the control interface make one',
        );
      }
      const moved = await move(sandbox, String(owned['automationId']), {
        folderPath: 'Conformance/Named by the suite',
      });
      assumeSuccess(moved);
      const { name } = automationIn(moved);
      expectEqual('automationName', owned['automationName'], name, inbox);
    },
  }),
];
