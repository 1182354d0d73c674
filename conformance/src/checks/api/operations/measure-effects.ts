import type { CheckContext } from '../../../check-kit/check.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import { expectEqual } from '../../../check-kit/expect.ts';
import { findEntry } from '../../../clients/find-entry.ts';
import { isSuccess } from '../../../http/message.ts';
import { INBOX } from './lists.ts';
import { everyField, readingOf, reviewPath } from './review-fields.ts';
import type { Entry } from './review-fields.ts';

const TITLE = 'The suite measures how long an update takes to show';

/**
 * Measures, before the first write of a run, how long the inbox takes to show an update: in a world of its own where a
 * control interface can create one, else with the open review request, which then has its title back.
 */
export function measureEffects(context: CheckContext): Promise<void> {
  return context.effects.measure(async () => {
    const control = controlOrNull(context);
    const sandbox = control === null ? context : context.inWorld(await control.createSharedWorld());
    const { api, effects } = sandbox;
    const id = sandbox.fixture('openReviewId');
    const read = () => findEntry(api, INBOX.path, id);
    const { entry } = await read();
    if (entry === null) return;
    sandbox.restoreLater(readingOf(entry));
    for (const title of [TITLE, entry['title']]) {
      const json: Entry = { ...everyField(sandbox, entry), title };
      const updated = await api.send({ method: 'PATCH', path: reviewPath(entry), json });
      if (!isSuccess(updated)) return;
      await effects.shown(read, (shown) =>
        expectEqual('title', shown.entry?.['title'], title, shown.response),
      );
    }
  });
}
