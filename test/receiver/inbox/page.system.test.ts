import type { DeadLetter } from '@hookproof/receiver';
import { createInbox } from '@hookproof/receiver/inbox';
import type { InboxSource } from '@hookproof/receiver/inbox';
import { runTimeline } from '@hookproof/receiver/testing';
import { describe, expect, inject, it } from 'vitest';

import { expectAccessible } from '../../expect-accessible.ts';
import { pendingUntilTheEnd } from '../started-receiver.ts';
import { usePages } from './open-page.ts';
import { receiverWithDeadLetters } from './receiver-with-dead-letters.ts';

interface Opening {
  readonly hash: string;
  readonly showPayloads: boolean;
  readonly keepBodiesDays: number;
  /** What all dead letters have. */
  readonly letters: Partial<DeadLetter>;
}

describe.skipIf(inject('browserPath') === null)('the page of the inbox', () => {
  const openPage = usePages();

  /** Opens the page of a receiver with two dead letters and a run with a gap. */
  async function opened({
    hash = '',
    showPayloads = false,
    keepBodiesDays = 0,
    letters = {},
  }: Partial<Opening> = {}) {
    const started = await receiverWithDeadLetters('ordered', keepBodiesDays);
    await started.advance(1_000);
    const [first, , last] = runTimeline(['pending', 'running', 'completed'], {
      run: { id: 'exec_gap' },
    });
    if (first === undefined || last === undefined) throw new Error('no events');
    await started.deliver(first, last);
    const changed = (letter: DeadLetter): DeadLetter => ({ ...letter, ...letters });
    const source: InboxSource = {
      ...started.receiver,
      deadLetters: async (filter) => {
        const { items, next } = await started.receiver.deadLetters(filter);
        return { items: items.map(changed), next };
      },
    };
    const inbox = createInbox(source, { authorize: () => true, showPayloads });
    const page = await openPage(inbox, hash);
    return { ...started, page };
  }

  it('shows what waits and why, and the gap of its run', async () => {
    const { page } = await opened();
    const row = page.getByRole('row', { name: /exec_gap/ });
    await row.getByText('events from pending to running are missing; goes on in').waitFor();
    await row.getByRole('link', { name: 'exec_gap', exact: true }).click();
    await page.getByText('Missing: from pending to running').waitFor();
    await page.getByText('Events are missing in 1 place.').waitFor();
    const step = page.getByRole('listitem').filter({ hasText: 'whev_exec_gap_3' });
    await step.getByText('are missing; goes on in').waitFor();
  });

  it('says until when a run is leased, and how often the process ended', async () => {
    const { page, deliver, receiver } = await opened({ hash: '#waiting=exec_held' });
    await page.getByText('Nothing of exec_held waits.').waitFor();
    receiver.on('running', pendingUntilTheEnd);
    const [held] = runTimeline(['running'], { run: { id: 'exec_held' } });
    if (held !== undefined) void deliver(held);
    await page.getByText('a process handles its run; its lease ends in').waitFor();
    // A read of the page may replace its rows at this moment.
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    const poisoned = { reason: 'event_poisoned', attempts: 0, crashes: 5 } as const;
    const { page: other } = await opened({ hash: '#dead', letters: poisoned });
    await other
      .getByRole('row', { name: /exec_1/ })
      .getByText('5 ends', { exact: true })
      .waitFor();
  });

  it('reads a slow store less often', async () => {
    const { page } = await opened();
    await page.clock.install();
    let reads = 0;
    await page.route(/read=find/, async (route) => {
      reads += 1;
      await page.clock.runFor(1_000);
      await route.continue();
    });
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.goto(`${page.url().replace(/#.*/, '')}#find=exec_gap`);
    await page.getByText('Events are missing in 1 place.').waitFor();
    reads = 0;
    for (let seconds = 0; seconds < 15; seconds += 1) await page.clock.runFor(1_000);
    expect(reads).toBeLessThanOrEqual(1);
  });

  it('shows new events without a reload, and narrows what waits to an agent or workflow', async () => {
    const { page, deliver } = await opened();
    const [, last] = runTimeline(['pending', 'running'], {
      run: { id: 'exec_other', automationId: 'wf_other' },
    });
    if (last !== undefined) await deliver(last);
    await page.getByRole('row', { name: /exec_other/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Run, event, agent or workflow' }).fill('wf_other');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'What waits' }).click();
    await page.getByText('Only of').waitFor();
    await page.getByRole('row', { name: /exec_gap/ }).waitFor({ state: 'detached' });
    // A read of the page may replace its rows at this moment.
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
  });

  it('says when each attempt failed, redrives one dead letter, and discards the others after a count', async () => {
    const { page, repair, receiver } = await opened({ hash: '#dead' });
    await page.getByText('Error: billing is down').first().waitFor();
    const row = page.getByRole('row', { name: /exec_1/ });
    await row.getByText('1', { exact: true }).click();
    await row.getByText(/ago, failed, after \d+ ms/).waitFor();
    repair();
    await page.getByRole('button', { name: /^Redrive whev_exec_1/ }).click();
    await page.getByText('1 dead letter redriven.').waitFor();
    await page.getByRole('button', { name: 'Discard all…' }).click();
    await page.getByText('Discard 1 dead letter? They then count as handled.').waitFor();
    await page.keyboard.press('Escape');
    expect(await receiver.stats()).toMatchObject({ dead: 1 });
    await page.getByRole('button', { name: 'Discard all…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText('No dead letters.').waitFor();
    expect(await receiver.stats()).toMatchObject({ dead: 0 });
  });

  it('replays one event, a run, or all that is kept, after a count, and shows no payload', async () => {
    const { page, receiver, handledIds } = await opened({
      hash: '#find=exec_1',
      keepBodiesDays: 7,
    });
    const before = handledIds().length;
    await page.getByRole('button', { name: 'Replay exec_1', exact: true }).click();
    await page.getByText('Replay 1 handled event?').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('dead letter', { exact: true }).waitFor();
    expect(await page.getByText('Payload').count()).toBe(0);
    expect((await receiver.stats()).open).toBe(1);
    await page.getByRole('button', { name: /^Replay whev_/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByText('1 handled event replayed.').waitFor();
    await page.getByText(', replayed').waitFor();
    await receiver.idle();
    expect(handledIds().length).toBe(before + 1);
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('button', { name: 'Replay…' }).click();
    await page.getByLabel('Status of the run').selectOption('completed');
    await page.getByRole('button', { name: 'Count…' }).click();
    await page.getByText('Nothing to replay: no body of such an event is kept').waitFor();
    await page.getByRole('button', { name: 'Replay…' }).click();
    await page.getByLabel('Status of the run').selectOption('');
    await page.getByLabel('Accepted before').fill('2020-01-01T00:00');
    await page.getByRole('button', { name: 'Count…' }).click();
    await page.getByText('Nothing to replay: no body of such an event is kept').waitFor();
    await page.getByRole('button', { name: 'Replay…' }).click();
    await page.getByLabel('Accepted before').fill('');
    await page.getByLabel('Accepted from').fill('2020-01-01T00:00');
    await page.getByRole('button', { name: 'Count…' }).click();
    await page.getByText('Replay 3 handled events?').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByText('3 handled events replayed.').waitFor();
    await receiver.idle();
    expect(handledIds().length).toBe(before + 4);
  });

  it('lists runs, narrows them to an agent or workflow, and opens one', async () => {
    const { page } = await opened();
    await page.getByRole('link', { name: 'Runs' }).click();
    const row = page.getByRole('row', { name: /exec_1/ });
    await row.getByText('1 dead').waitFor();
    await row.getByText('1 handled').waitFor();
    const automation = (await row.getByRole('link').nth(1).getAttribute('title')) ?? '';
    await page.goto(`${page.url().replace(/#.*/, '')}#runs=wf_other`);
    await page.getByText('No runs of wf_other.').waitFor();
    await page.getByRole('searchbox', { name: 'Run, event, agent or workflow' }).fill(automation);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'exec_1', exact: true }).click();
    await page.getByRole('heading', { name: 'Run exec_1 failed' }).waitFor();
    await page.getByText('Complete: no event is known to be missing.').waitFor();
  });

  it('narrows dead letters to a run, and changes only those', async () => {
    const { page, receiver } = await opened({ hash: '#dead=exec_2' });
    await page.getByRole('row', { name: /exec_2/ }).waitFor();
    expect(await page.getByRole('row', { name: /exec_1/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Discard all…' }).click();
    await page.getByText('Discard 1 dead letter?').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText('No dead letters match.').waitFor();
    const { items } = await receiver.deadLetters();
    expect(items).toMatchObject([{ runId: 'exec_1' }]);
  });

  it('groups dead letters by handler and first line, and redrives a group', async () => {
    const { page, deliver, advance, receiver, repair } = await opened({ hash: '#dead' });
    receiver.on('cancelled', () => {
      throw new Error('no such invoice\n    at billing');
    });
    await deliver(...runTimeline(['pending', 'cancelled'], { run: { id: 'exec_3' } }));
    await advance(1_000);
    const causes = page.getByRole('region', { name: 'Dead letters by cause' });
    await causes.getByText('2 ×').waitFor();
    await causes.getByText('Error: no such invoice', { exact: true }).waitFor();
    await causes.getByRole('button', { name: 'Show 2 dead letters: Error: billing' }).click();
    await page.getByRole('row', { name: /exec_3/ }).waitFor({ state: 'detached' });
    expect(await page.getByRole('combobox', { name: 'Handler' }).inputValue()).toBe('failed');
    await page.getByRole('link', { name: 'Show all' }).click();
    await page.getByRole('row', { name: /exec_3/ }).waitFor();
    repair();
    await causes.getByRole('button', { name: 'Redrive 2 dead letters: Error: billing' }).click();
    await page.getByText('Redrive 2 dead letters: Error: billing is down?').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Redrive' }).click();
    await page.getByText('2 dead letters redriven.').waitFor();
    await page.getByRole('row', { name: /exec_1/ }).waitFor({ state: 'detached' });
    expect((await receiver.deadLetters()).items).toMatchObject([{ runId: 'exec_3' }]);
  });

  it('redrives exactly the group, not what only begins with its message', async () => {
    const { page, receiver, deliver, advance } = await opened({ hash: '#dead' });
    receiver.on('running', () => {
      throw new Error('billing is down');
    });
    let isBroken = true;
    receiver.on('waiting', () => {
      if (isBroken) throw new Error('billing is down for longer');
    });
    for (const run of ['exec_3', 'exec_4']) {
      const [first] = runTimeline(['waiting'], { run: { id: run } });
      if (first !== undefined) await deliver(first);
    }
    await advance(60_000);
    isBroken = false;
    const causes = page.getByRole('region', { name: 'Dead letters by cause' });
    await causes.getByRole('button', { name: /^Redrive 2 .*down$/ }).click();
    await page.getByText('Redrive 2 dead letters: Error: billing is down?').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Redrive' }).click();
    await page.getByText('2 dead letters redriven.').waitFor();
    await receiver.idle();
    const { items } = await receiver.deadLetters();
    expect(items.map(({ runId }) => runId)).toEqual(['exec_4', 'exec_3', 'exec_2', 'exec_1']);
    await page.getByRole('link', { name: /^Waiting/ }).click();
    await page.getByText('Nothing waits: every event is handled or a dead letter.').waitFor();
  });

  it('counts by hour what was handled and what failed, when it is opened', async () => {
    const { page, deliver } = await opened({ hash: '#dead' });
    const hours = page.getByRole('region', { name: 'The last 24 hours' });
    const counted = async () => ({
      handled: await hours.getByText(/\d+ handled$/).textContent(),
      failed: await hours.getByText(/failed attempts/).textContent(),
    });
    const before = await counted();
    expect(before.failed).toMatch(/ 2 failed attempts/);
    await deliver(...runTimeline(['pending', 'completed'], { run: { id: 'exec_3' } }));
    await page.reload();
    await hours.getByText(/\d+ handled$/).waitFor();
    expect((await counted()).handled).not.toBe(before.handled);
  });

  it('moves through the rows with j and k, opens one, and finds a run with the keyboard', async () => {
    const { page } = await opened({ hash: '#dead' });
    await page.getByRole('row', { name: /exec_2/ }).waitFor();
    for (const key of ['j', 'j', 'k']) await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Run exec_2 failed' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('exec_1');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Run exec_1 failed' }).waitFor();
    await page.getByText('dead letter', { exact: true }).waitFor();
  });

  it('shows the payload of a dead letter when it may', async () => {
    const { page } = await opened({ hash: '#find=exec_1', showPayloads: true });
    await page.getByText('Payload').click();
    await page.getByText('"id": "exec_1"').waitFor();
    await expectAccessible(page);
  });

  it('pauses, shows it, and resumes', async () => {
    const { page, receiver } = await opened();
    await page.getByRole('combobox', { name: 'Pause' }).selectOption('*');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByText('All handlers are paused.').waitFor();
    await page.getByText('its handler is paused').waitFor();
    expect(await receiver.stats()).toMatchObject({ paused: ['*'] });
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Resumed.').waitFor();
    expect(await receiver.stats()).toMatchObject({ paused: [] });
  });

  it('is accessible and fits, light and dark, 1280 and 390 wide', async () => {
    const { page, receiver } = await opened();
    await receiver.pause('completed');
    for (const hash of ['#waiting', '#dead', '#runs', '#find=exec_gap']) {
      await page.goto(`${page.url().replace(/#.*/, '')}${hash}`);
      await page.getByText('The handlers of completed are paused.').waitFor();
      await page.locator('table, .steps').first().waitFor();
      for (const width of [1_280, 390]) {
        await page.setViewportSize({ width, height: 800 });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await expectAccessible(page);
        }
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow).toBe(0);
      }
    }
  });
});
