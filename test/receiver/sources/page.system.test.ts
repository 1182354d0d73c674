import { createInbox } from '@hookproof/receiver/inbox';
import { describe, expect, inject, it } from 'vitest';

import { usePages } from '../inbox/open-page.ts';
import { invoice, startedSources } from './started-sources.ts';

describe.skipIf(inject('browserPath') === null)('the page of an inbox with several sources', () => {
  const openPage = usePages();

  /** Opens the page of a receiver in which Stripe and the CRM have an event of the same id. */
  async function opened({ isPaused = false, hash = '' } = {}) {
    const app = await startedSources({
      handle: () => Promise.reject(new Error('billing is down')),
      retryForHours: 0,
    });
    if (isPaused) await app.receiver.pause();
    await app.send('stripe', invoice('msg_1'));
    await app.send('crm');
    const inbox = createInbox(app.receiver, { authorize: () => true });
    return { ...app, page: await openPage(inbox, hash) };
  }

  it('shows dead letters with equal ids as rows of their sources, and changes one alone', async () => {
    const { page, receiver } = await opened({ hash: '#dead' });
    const rows = page.getByRole('table').getByRole('row');
    const [ofStripe, ofCrm] = ['stripe', 'crm'].map((name) =>
      page.getByRole('row', { name: new RegExp(`^${name} `) }),
    );
    await ofStripe?.getByRole('link', { name: 'invoice.paid' }).waitFor();
    await ofCrm?.getByRole('link', { name: 'contact.created' }).waitFor();
    await expect.poll(() => rows.count()).toBe(3);
    await ofCrm?.getByRole('button', { name: 'Discard msg_1 of crm' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText('1 dead letter discarded.').waitFor();
    await ofCrm?.waitFor({ state: 'detached' });
    await expect.poll(() => rows.count()).toBe(2);
    expect((await receiver.deadLetters()).items).toMatchObject([{ source: 'stripe' }]);
  });

  it('narrows each list to one source', async () => {
    const { page } = await opened({ hash: '#dead' });
    const source = page.getByRole('combobox', { name: 'Source' });
    await source.selectOption('stripe');
    await page.getByRole('row', { name: /^crm / }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /^stripe / }).waitFor();
    await source.selectOption('');
    await page.getByRole('row', { name: /^crm / }).waitFor();
  });

  it('shows what waits with equal ids, and opens the event of the row', async () => {
    const { page } = await opened({ isPaused: true });
    await page.getByRole('row', { name: /^stripe / }).waitFor();
    const ofCrm = page.getByRole('row', { name: /^crm / });
    await ofCrm.getByRole('link', { name: 'contact.created' }).click();
    await page.getByText('crm: contact.created').waitFor();
    await page.getByText('The same id is also in').getByRole('link', { name: 'stripe' }).click();
    await page.getByText('stripe: invoice.paid').waitFor();
  });

  it('pauses one source', async () => {
    const { page, receiver } = await opened();
    await page.getByRole('combobox', { name: 'Pause' }).selectOption('stripe/*');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByText('All handlers of stripe are paused.').waitFor();
    expect((await receiver.stats()).paused).toEqual(['stripe/*']);
  });
});
