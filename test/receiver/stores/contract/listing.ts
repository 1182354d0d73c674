import assert from 'node:assert/strict';

import { COUNTED_HOURS, DEAD_LETTER_REASONS } from '../../../../receiver/src/stores/store.ts';
import type { EventFilter, EventRecord, Page } from '../../../../receiver/src/stores/store.ts';
import {
  AGAIN,
  dead,
  failed,
  handled,
  idsOf,
  kept,
  keyed,
  LONG,
  OWNER,
  RELEASE,
  single,
  SOURCE,
} from './kit.ts';
import type { StoreTest } from './kit.ts';

/** What the operations with which people look promise. */
export const LISTING: Readonly<Record<string, StoreTest>> = {
  'describes an event without its body': async (kit) => {
    assert.equal(await kit.inspect('whev_1'), undefined);
    await kit.acceptAll('exec_1', 'whev_1');
    const { receivedAt, ...event } = (await kit.inspect('whev_1')) ?? {};
    assert.equal(typeof receivedAt, 'number');
    assert.deepEqual(event, {
      source: SOURCE,
      id: 'whev_1',
      key: 'exec_1',
      owner: OWNER,
      type: 'run.created',
      handler: 'running',
      facts: 'facts of whev_1',
      state: 'open',
      handledAt: null,
      attempts: 0,
      firstFailedAt: null,
      failures: [],
      crashes: 0,
      error: null,
      reason: null,
      isReplay: false,
      keptUntil: null,
      leasedFor: null,
      dueIn: 0,
    });
  },

  'counts what it holds': async ({ store, ...kit }) => {
    const empty = { open: 0, retrying: 0, due: 0, inHand: 0, dead: 0, oldestOpen: null };
    assert.deepEqual(await store.stats(), empty);
    await kit.acceptAll('exec_1', 'whev_1', 'whev_2', 'whev_3');
    await kit.handle([handled('whev_1'), dead('whev_2'), failed('whev_3', 0)], AGAIN);
    await store.accept(single('whev_4'));
    await kit.take({ limit: 1 });
    const { oldestOpen, ...counts } = await store.stats();
    assert.deepEqual(counts, { open: 2, retrying: 1, due: 1, inHand: 1, dead: 1 });
    assert.ok(oldestOpen !== null && oldestOpen >= 0);
  },

  'counts by hour what was handled and what failed': async ({ store, ...kit }) => {
    const none = await store.byHour();
    assert.equal(none.length, COUNTED_HOURS);
    for (const { handled: count, failed: failures } of none) assert.equal(count + failures, 0);
    await kit.acceptAll('exec_1', 'whev_1', 'whev_2', 'whev_3');
    await kit.handle([failed('whev_1', 0), dead('whev_2')], AGAIN);
    await kit.handle([failed('whev_1', 0), handled('whev_3')], AGAIN);
    await kit.handle([handled('whev_1')]);
    await store.change('discard', {}, { dryRun: false });
    const hours = await store.byHour();
    const sum = (what: 'handled' | 'failed') => hours.reduce((all, hour) => all + hour[what], 0);
    assert.deepEqual([sum('handled'), sum('failed')], [3, 2]);
    for (const [index, { at }] of hours.entries()) {
      assert.equal(at, (hours[0]?.at ?? 0) + index * 3_600_000);
      assert.equal(at % 3_600_000, 0);
    }
    const { handledAt } = (await kit.inspect('whev_1')) ?? {};
    const hour = Math.floor((handledAt ?? 0) / 3_600_000) * 3_600_000;
    assert.ok((hours.find(({ at }) => at === hour)?.handled ?? 0) > 0);
  },

  'lists dead letters in pages, newest first': async ({ store, ...kit }) => {
    await kit.acceptAll('exec_1', 'whev_1', 'whev_2', 'whev_3');
    await kit.handle([dead('whev_1'), dead('whev_2'), dead('whev_3')]);
    const list = (after: string | null) =>
      store.list({ state: 'dead' }, { after, limit: 2, newestFirst: true });
    const first = await list(null);
    const second = await list(first.next);
    assert.deepEqual([idsOf(first.items), idsOf(second.items)], [['whev_3', 'whev_2'], ['whev_1']]);
    assert.equal(second.next, null);
  },

  'lists open events in pages, oldest first, with what their jobs wait for': async (kit) => {
    const { store } = kit;
    await kit.acceptAll('exec_1', 'whev_1');
    await kit.handle([failed('whev_1', LONG)], { do: 'release', dueIn: LONG });
    await kit.acceptAll('exec_2', 'whev_2');
    await kit.handle([], RELEASE);
    await kit.acceptAll('exec_3', 'whev_3');
    await kit.takeOne();
    await kit.acceptAll('exec_4', 'whev_4');
    const seen: EventRecord[] = [];
    let after: string | null = null;
    do {
      const page: Page<EventRecord> = await store.list({ state: 'open' }, { after, limit: 3 });
      seen.push(...page.items);
      after = page.next;
    } while (after !== null);
    assert.deepEqual(
      seen.map(({ id, key, attempts, error }) => [id, key, attempts, error]),
      [
        ['whev_1', 'exec_1', 1, 'no'],
        ['whev_2', 'exec_2', 0, null],
        ['whev_3', 'exec_3', 0, null],
        ['whev_4', 'exec_4', 0, null],
      ],
    );
    const [waiting, held, leased, due] = seen;
    assert.ok((waiting?.dueIn ?? 0) > 0 && waiting?.leasedFor === null);
    assert.deepEqual([held?.dueIn, held?.leasedFor], [null, null]);
    assert.ok((leased?.leasedFor ?? 0) > 0 && leased?.dueIn === null);
    assert.deepEqual([due?.dueIn, due?.leasedFor], [0, null]);
  },

  'keeps why an event is a dead letter, until it is opened again': async (kit) => {
    for (const reason of DEAD_LETTER_REASONS) {
      await kit.acceptAll(`exec_${reason}`, `whev_${reason}`);
      const id = `whev_${reason}`;
      await kit.handle([{ id, as: 'dead', reason, error: 'why', attempt: null }]);
    }
    assert.deepEqual(
      (await kit.list({ state: 'dead' })).map(({ reason }) => reason),
      [...DEAD_LETTER_REASONS],
    );
    await kit.store.change('redrive', {}, { dryRun: false });
    assert.deepEqual(
      (await kit.list()).map(({ reason, error }) => [reason, error]),
      DEAD_LETTER_REASONS.map(() => [null, 'why']),
    );
  },

  'finds events by each member of a filter, and by several': async (kit) => {
    const { store } = kit;
    for (const id of ['whev_1', 'whev_2', 'whev_3']) {
      const [key, owner] = id === 'whev_3' ? ['exec_2', 'wf_2'] : ['exec_1', OWNER];
      await store.accept(
        keyed(key, id, { owner, handler: id === 'whev_2' ? 'failed' : 'running' }),
      );
      await kit.handle([dead(id, `100% ${id}\nsecond line`)]);
      await kit.elapse(5);
    }
    await store.accept(keyed('exec_3', 'whev_4'));
    const { receivedAt = 0 } = (await kit.inspect('whev_2')) ?? {};
    const found = async (filter: EventFilter) => idsOf(await kit.list(filter));
    const ids = ['whev_3', 'whev_2', 'whev_2', 'whev_4', 'unknown'];
    const filters: readonly (readonly [EventFilter, readonly string[]])[] = [
      [{}, ['whev_1', 'whev_2', 'whev_3', 'whev_4']],
      [{ state: 'dead' }, ['whev_1', 'whev_2', 'whev_3']],
      [{ state: 'open' }, ['whev_4']],
      [{ state: 'handled' }, []],
      [{ ids }, ['whev_2', 'whev_3', 'whev_4']],
      [{ ids: [] }, []],
      [{ ids, state: 'dead', key: 'exec_1', owner: OWNER }, ['whev_2']],
      [{ reason: 'event_poisoned' }, []],
      [{ reason: 'handler_failed', key: 'exec_2' }, ['whev_3']],
      [{ key: 'exec_9' }, []],
      [{ owner: 'wf_2' }, ['whev_3']],
      [{ owner: 'wf_2', key: 'exec_1' }, []],
      [{ handler: 'failed' }, ['whev_2']],
      [{ handler: 'running', state: 'dead' }, ['whev_1', 'whev_3']],
      [{ message: '100% whev_2' }, ['whev_2']],
      [{ message: '100%' }, ['whev_1', 'whev_2', 'whev_3']],
      [{ message: '100_' }, []],
      [{ message: 'whev_2' }, []],
      [{ since: receivedAt, state: 'dead' }, ['whev_2', 'whev_3']],
      [{ until: receivedAt }, ['whev_1']],
      [{ since: receivedAt, until: receivedAt }, []],
      [{ source: 'other' }, []],
    ];
    for (const [filter, expected] of filters) {
      assert.deepEqual(await found(filter), expected, JSON.stringify(filter));
    }
    for (const filter of [{ key: 'exec_1' }, { owner: OWNER, state: 'dead' }] as const) {
      const first = await store.list(filter, { after: null, limit: 1 });
      const second = await store.list(filter, { after: first.next, limit: 1 });
      assert.deepEqual([idsOf(first.items), idsOf(second.items)], [['whev_1'], ['whev_2']]);
      assert.deepEqual([first.next === null, second.next], [false, null]);
    }
  },

  'lists keys in pages, the newest first, of all owners or one': async ({ store, ...kit }) => {
    assert.deepEqual(await store.keys(SOURCE, null, { after: null, limit: 2 }), {
      items: [],
      next: null,
    });
    await kit.acceptAll('exec_1', 'whev_1', 'whev_2', 'whev_3');
    await kit.handle([handled('whev_1'), dead('whev_2')]);
    await store.accept(single('whev_4'));
    await store.accept(keyed('exec_2', 'whev_5', { owner: 'wf_2' }));
    await store.accept(keyed('exec_3', 'whev_6', { owner: null }));
    await kit.acceptAll('exec_1', 'whev_7');
    const first = await store.keys(SOURCE, null, { after: null, limit: 2 });
    const second = await store.keys(SOURCE, null, { after: first.next, limit: 2 });
    assert.deepEqual(
      [...first.items, ...second.items].map(({ key, owner }) => [key, owner]),
      [
        ['exec_3', null],
        ['exec_2', 'wf_2'],
        ['exec_1', OWNER],
      ],
    );
    assert.equal(second.next, null);
    const { receivedAt, ...record } = second.items[0] ?? {};
    assert.equal(typeof receivedAt, 'number');
    assert.deepEqual(record, {
      source: SOURCE,
      key: 'exec_1',
      owner: OWNER,
      open: 2,
      dead: 1,
      handled: 1,
      events: ['whev_1', 'whev_2', 'whev_3', 'whev_7'].map((id) => ({
        id,
        facts: `facts of ${id}`,
      })),
    });
    const { items } = await store.keys(SOURCE, 'wf_2', { after: null, limit: 9 });
    assert.deepEqual(
      items.map(({ key }) => key),
      ['exec_2'],
    );
    assert.deepEqual((await store.keys(SOURCE, 'wf_9', { after: null, limit: 9 })).items, []);
  },

  'returns the body of an event that waits, is a dead letter or is kept': async (kit) => {
    const { store } = kit;
    assert.equal(await store.body(SOURCE, 'whev_1'), null);
    await kit.acceptAll('exec_1', 'whev_1', 'whev_2', 'whev_3');
    await kit.handle([dead('whev_2'), kept('whev_3')]);
    for (const id of ['whev_1', 'whev_2', 'whev_3']) {
      const body = (await store.body(SOURCE, id)) ?? new Uint8Array();
      assert.equal(new TextDecoder().decode(body), `{"id":"${id}"}`);
    }
    assert.equal(await store.body('other', 'whev_1'), null);
  },
};
