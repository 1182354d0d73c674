import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { CouldNotRun, NotApplicable } from '../../../verdict/findings.ts';
import { assumeSuccess, expectEqual } from '../../../check-kit/expect.ts';
import { automationIn, move } from '../operations/automations.ts';
import { INBOX, readPage } from '../operations/lists.ts';
import { openSandbox } from '../operations/sandbox.ts';

const inboxArea = area('api.inbox', {
  // Only a move returns an automation, and it cannot be undone: it needs its own world.
  access: 'write',
  needs: ['control'],
});

/** The name of an automation, in the inbox and in the automation itself. */
export const automationNameChecks: readonly Check[] = [
  inboxArea.check({
    name: 'automation-name',
    requirements: ['inbox.item.automation-name'],
    title: 'automationName is the name of the owning automation, as a move returns it',
    async run(context) {
      const sandbox = await openSandbox(context);
      const query = { limit: 100, offset: 0 };
      const inbox = await sandbox.api.send({ path: INBOX.path, query });
      assumeSuccess(inbox);
      const owned = readPage(INBOX, inbox).entries.find(({ automationId }) =>
        String(automationId).startsWith('wf_'),
      );
      if (owned === undefined) {
        throw new CouldNotRun(
          'no review request of a workflow in the world of the control interface',
          'create one in POST /worlds of the control interface',
        );
      }
      const moved = await move(sandbox, String(owned['automationId']), {
        folderPath: 'Conformance/Named',
      });
      assumeSuccess(moved);
      const { name } = automationIn(moved);
      if (typeof name !== 'string') throw new NotApplicable('a move returns no name');
      expectEqual('automationName', owned['automationName'], name, inbox);
    },
  }),
];
