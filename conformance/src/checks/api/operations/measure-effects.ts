import type { CheckContext } from '../../../check-kit/check.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import { expectEqual } from '../../../check-kit/expect.ts';
import type { Key } from '../../../clients/api-client.ts';
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
    const { key, id, disposable } = await openReview(context);
    const read = () => findEntry(context.api, INBOX.path, { id, key });
    const { entry } = await read();
    if (entry === null) return;
    if (!disposable) context.restoreLater(readingOf(entry));
    for (const title of [TITLE, entry['title']]) {
      const json: Entry = { ...everyField({ disposable }, entry), title };
      const updated = await context.api.send({
        method: 'PATCH',
        path: reviewPath(entry),
        key,
        json,
      });
      if (!isSuccess(updated)) return;
      await context.effects.shown(read, (shown) =>
        expectEqual('title', shown.entry?.['title'], title, shown.response),
      );
    }
  });
}

async function openReview(context: CheckContext): Promise<{
  readonly key: Key;
  readonly id: string;
  readonly disposable: boolean;
}> {
  if (controlOrNull(context) === null) {
    return { key: 'main', id: context.fixture('openReviewId'), disposable: false };
  }
  const { keys, fixtures } = await context.control.createSharedWorld();
  return { key: { value: keys.wildcard }, id: fixtures.openReviewId ?? '', disposable: true };
}
