import assert from 'node:assert/strict';

import { DEAD_LETTER_REASONS } from '../stores/store.ts';
import type { DeadLetterFilter, OpenEventPage, StoredOpenEvent } from '../stores/store.ts';
import {
  AUTOMATION,
  dead,
  edgeNamed,
  failed,
  LONG,
  ofRun,
  settled,
  single,
  RELEASE,
} from './kit.ts';
import type { StoreTest } from './kit.ts';

/** What the operations for people promise, and `purge`. */
export const KEEPING: Readonly<Record<string, StoreTest>> = {
  'describes one event without its body': async ({ store, ...kit }) => {
    assert.equal(await store.inspect('whev_1'), null);
    await kit.acceptRun('exec_1', 'whev_1');
    const { receivedAt, ...event } = (await store.inspect('whev_1')) ?? {};
    assert.equal(typeof receivedAt, 'number');
    assert.deepEqual(event, {
      id: 'whev_1',
      runId: 'exec_1',
      automationId: AUTOMATION,
      state: 'open',
      attempts: 0,
      edge: edgeNamed('whev_1'),
      error: null,
      reason: null,
      isReplay: false,
      keptUntil: null,
    });
  },

  'returns the history of a run': async ({ store, ...kit }) => {
    assert.deepEqual(await store.history('exec_1'), []);
    await kit.acceptRun('exec_1', 'whev_1', 'whev_2');
    await kit.handle([settled('whev_1'), dead('whev_2')]);
    assert.deepEqual(await store.history('exec_1'), [
      { edge: edgeNamed('whev_1'), state: 'settled', position: 1 },
      { edge: edgeNamed('whev_2'), state: 'dead', position: 2 },
    ]);
  },

  'counts what it holds': async ({ store, ...kit }) => {
    const empty = { open: 0, due: 0, inHand: 0, dead: 0, settled: 0, oldestOpen: null };
    assert.deepEqual(await store.stats(), empty);
    await kit.acceptRun('exec_1', 'whev_1', 'whev_2', 'whev_3');
    await kit.handle([settled('whev_1'), dead('whev_2')], { do: 'release', dueIn: 0 });
    await store.accept(single('whev_4'));
    await kit.take({ limit: 1 });
    const { oldestOpen, ...counts } = await store.stats();
    assert.deepEqual(counts, { open: 2, due: 1, inHand: 1, dead: 1, settled: 1 });
    assert.ok(oldestOpen !== null && oldestOpen >= 0);
  },

  'lists open events in pages, oldest first, with what their runs wait for': async ({
    store,
    ...kit
  }) => {
    await kit.acceptRun('exec_1', 'whev_1');
    await kit.handle([failed('whev_1', LONG)], { do: 'release', dueIn: LONG });
    await kit.acceptRun('exec_2', 'whev_2');
    await kit.handle([], { do: 'release', dueIn: null });
    await kit.acceptRun('exec_3', 'whev_3');
    await kit.takeOne();
    await kit.acceptRun('exec_4', 'whev_4');
    const seen: StoredOpenEvent[] = [];
    let after: string | null = null;
    do {
      const page: OpenEventPage = await store.openEvents({ after, limit: 3 });
      seen.push(...page.items);
      after = page.next;
    } while (after !== null);
    assert.deepEqual(
      seen.map(({ id, runId, attempts, error }) => [id, runId, attempts, error]),
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
    assert.deepEqual(seen[0]?.edge, edgeNamed('whev_1'));
  },

  'lists the open events of one run in pages': async ({ store, ...kit }) => {
    await kit.acceptRun('exec_1', 'whev_1', 'whev_2', 'whev_3', 'whev_4', 'whev_5');
    await kit.handle([settled('whev_1'), dead('whev_3')]);
    await kit.acceptRun('exec_2', 'whev_6');
    const first = await store.openEvents({ after: null, limit: 2 }, 'exec_1');
    const last = await store.openEvents({ after: first.next, limit: 2 }, 'exec_1');
    assert.deepEqual(
      [first, last].map(({ items }) => items.map(({ id }) => id)),
      [['whev_2', 'whev_4'], ['whev_5']],
    );
    assert.equal(last.next, null);
    assert.deepEqual(await store.openEvents({ after: null, limit: 2 }, 'exec_9'), {
      items: [],
      next: null,
    });
  },

  'counts the ends of the process that made an event a dead letter': async ({ store, ...kit }) => {
    await kit.acceptRun('exec_1', 'whev_1');
    const { lease } = await kit.takeOne({ leaseFor: 1 });
    await store.begin(lease, 'whev_1');
    await kit.elapse(30);
    const other = await kit.takeOne({ holder: 'two' });
    await store.finish(other.lease, [dead('whev_1')], RELEASE);
    const { items } = await store.deadLetters({ after: null, limit: 10 });
    assert.deepEqual(
      items.map(({ attempts, crashes }) => [attempts, crashes]),
      [[0, 1]],
    );
    await store.redrive({});
    await kit.handle([dead('whev_1')]);
    assert.equal((await store.deadLetters({ after: null, limit: 10 })).items[0]?.crashes, 0);
  },

  'keeps what is paused': async ({ store }) => {
    assert.deepEqual(await store.paused(), []);
    await store.pause('completed');
    await store.pause('*');
    await store.pause('*');
    assert.deepEqual(await store.paused(), ['*', 'completed']);
    await store.resume('*');
    await store.resume('failed');
    assert.deepEqual(await store.paused(), ['completed']);
  },

  'makes waiting runs due when a pause ends, leased ones with their release': async ({
    store,
    ...kit
  }) => {
    await kit.acceptRun('exec_1', 'whev_1');
    await kit.handle([], { do: 'release', dueIn: LONG });
    await store.resume('completed');
    assert.deepEqual(await kit.take(), []);
    await store.pause('completed');
    await store.resume('completed');
    const { lease } = await kit.takeOne();
    await store.pause('completed');
    await store.resume('completed');
    await store.finish(lease, [], { do: 'release', dueIn: LONG });
    await kit.takeOne();
  },

  'makes all waiting events due when a pause ends, however many': async ({ store, ...kit }) => {
    const ids = Array.from({ length: 1_500 }, (_, index) => `whev_${index}`);
    await Promise.all(ids.map((id) => store.accept(single(id))));
    const jobs = await kit.take({ limit: ids.length });
    const release = { do: 'release', dueIn: LONG } as const;
    await Promise.all(jobs.map(({ lease }) => store.finish(lease, [], release)));
    assert.equal((await store.stats()).due, 0);
    await store.pause('*');
    await store.resume('*');
    assert.equal((await store.stats()).due, ids.length);
  },

  'reads the clock by which events grow old': async ({ store }) => {
    assert.ok(Number.isFinite(await store.now()));
  },

  'keeps why an event is a dead letter': async ({ store, ...kit }) => {
    for (const reason of DEAD_LETTER_REASONS) {
      await kit.acceptRun(`exec_${reason}`, `whev_${reason}`);
      const id = `whev_${reason}`;
      await kit.handle([{ id, as: 'dead', reason, error: 'why', isFailure: false }]);
    }
    const { items } = await store.deadLetters({ after: null, limit: 10 });
    assert.deepEqual(
      items.map(({ reason }) => reason),
      [...DEAD_LETTER_REASONS],
    );
  },

  'lists dead letters in pages, oldest first': async ({ store, ...kit }) => {
    for (const id of ['whev_1', 'whev_2', 'whev_3']) {
      await kit.acceptRun(`exec_${id}`, id);
      await kit.handle([dead(id, true)]);
    }
    const first = await store.deadLetters({ after: null, limit: 2 });
    assert.deepEqual(
      first.items.map(({ id }) => id),
      ['whev_1', 'whev_2'],
    );
    const { receivedAt, ...letter } = first.items[0] ?? {};
    assert.equal(typeof receivedAt, 'number');
    const expected = { id: 'whev_1', runId: 'exec_whev_1', error: 'why' };
    const facts = { automationId: AUTOMATION, reason: 'handler_failed', isReplay: false };
    const counts = { attempts: 1, crashes: 0 };
    assert.deepEqual(letter, { ...expected, ...counts, ...facts });
    const second = await store.deadLetters({ after: first.next, limit: 2 });
    assert.deepEqual(
      second.items.map(({ id }) => id),
      ['whev_3'],
    );
    assert.equal(second.next, null);
  },

  'counts the last failure of a dead letter': async ({ store, ...kit }) => {
    await kit.acceptRun('exec_1', 'whev_1');
    await kit.handle([failed('whev_1', 0)], { do: 'release', dueIn: 0 });
    await kit.handle([dead('whev_1', true)]);
    const { items } = await store.deadLetters({ after: null, limit: 10 });
    assert.deepEqual(
      items.map(({ attempts }) => attempts),
      [2],
    );
  },

  'opens dead letters again by id, reason and run': async ({ store, ...kit }) => {
    for (const id of ['whev_1', 'whev_2', 'whev_3']) {
      await kit.acceptRun(`exec_${id}`, id);
      await kit.handle([dead(id, true)]);
    }
    assert.equal(await store.redrive({ ids: ['unknown'] }), 0);
    assert.equal(await store.redrive({ reason: 'event_poisoned' }), 0);
    assert.equal(await store.redrive({ ids: ['whev_1'], reason: 'handler_failed' }), 1);
    assert.equal(await store.redrive({ runId: 'exec_whev_2' }), 1);
    assert.equal(await store.redrive({}), 1);
    assert.equal(await store.redrive({}), 0);
    const jobs = await kit.take();
    assert.deepEqual(
      jobs.map(({ open }) => open.map(({ attempts }) => attempts)),
      [[0], [0], [0]],
    );
  },

  'finds dead letters by id, reason, run and automation': async ({ store, ...kit }) => {
    for (const id of ['whev_1', 'whev_2', 'whev_3']) {
      const runId = id === 'whev_3' ? 'exec_2' : 'exec_1';
      await store.accept(ofRun(runId, id, { automationId: id === 'whev_3' ? 'wf_2' : AUTOMATION }));
      await kit.handle([dead(id)]);
    }
    await store.accept(ofRun('exec_3', 'whev_4'));
    const found = async (filter: DeadLetterFilter, after: string | null = null) => {
      const { items } = await store.deadLetters({ after, limit: 10 }, filter);
      return items.map(({ id }) => id);
    };
    const ids = ['whev_3', 'whev_2', 'whev_2', 'whev_4', 'unknown'];
    assert.deepEqual(await found({ ids }), ['whev_2', 'whev_3']);
    assert.deepEqual(await found({ ids, runId: 'exec_1', automationId: AUTOMATION }), ['whev_2']);
    assert.deepEqual(await found({ reason: 'event_poisoned' }), []);
    assert.deepEqual(await found({ reason: 'handler_failed', runId: 'exec_2' }), ['whev_3']);
    assert.deepEqual(await found({ runId: 'exec_9' }), []);
    assert.deepEqual(await found({ automationId: 'wf_2' }), ['whev_3']);
    for (const filter of [{ runId: 'exec_1' }, { automationId: AUTOMATION }]) {
      const { items, next } = await store.deadLetters({ after: null, limit: 1 }, filter);
      assert.deepEqual(
        [items.map(({ id }) => id), await found(filter, next)],
        [['whev_1'], ['whev_2']],
      );
    }
    assert.equal(await store.redrive({ automationId: 'wf_2', runId: 'exec_1' }), 0);
    assert.equal(await store.redrive({ automationId: 'wf_2' }), 1);
    assert.equal(await store.redrive({ ids, automationId: AUTOMATION }), 1);
    assert.deepEqual(await found({}), ['whev_1']);
  },

  'lists runs in pages, the newest first, of all automations or one': async ({ store, ...kit }) => {
    assert.deepEqual(await store.runs({ after: null, limit: 2 }), { items: [], next: null });
    await kit.acceptRun('exec_1', 'whev_1', 'whev_2', 'whev_3');
    await kit.handle([settled('whev_1'), dead('whev_2')]);
    await store.accept(single('whev_4'));
    await store.accept(ofRun('exec_2', 'whev_5', { automationId: 'wf_2' }));
    await store.accept(ofRun('exec_3', 'whev_6', { automationId: null }));
    await kit.acceptRun('exec_1', 'whev_7');
    const first = await store.runs({ after: null, limit: 2 });
    const second = await store.runs({ after: first.next, limit: 2 });
    assert.deepEqual(
      [...first.items, ...second.items].map(({ runId, automationId }) => [runId, automationId]),
      [
        ['exec_3', null],
        ['exec_2', 'wf_2'],
        ['exec_1', AUTOMATION],
      ],
    );
    assert.equal(second.next, null);
    const { receivedAt, ...run } = second.items[0] ?? {};
    assert.equal(typeof receivedAt, 'number');
    const counts = { open: 2, dead: 1, settled: 1 };
    const automationId = AUTOMATION;
    assert.deepEqual(run, { runId: 'exec_1', automationId, status: 'running', ...counts });
    const { items } = await store.runs({ after: null, limit: 9 }, 'wf_2');
    assert.deepEqual(
      items.map(({ runId }) => runId),
      ['exec_2'],
    );
    assert.deepEqual((await store.runs({ after: null, limit: 9 }, 'wf_9')).items, []);
  },

  'forgets purged runs in their list': async ({ store, ...kit }) => {
    await kit.acceptRun('exec_1', 'whev_1');
    await kit.handle([settled('whev_1', true)]);
    await kit.elapse(30);
    assert.equal(await store.purge(1), 1);
    assert.deepEqual((await store.runs({ after: null, limit: 9 })).items, []);
    assert.deepEqual((await store.runs({ after: null, limit: 9 }, AUTOMATION)).items, []);
  },

  'returns the body of an event that waits or is a dead letter': async ({ store, ...kit }) => {
    assert.equal(await store.body('whev_1'), null);
    await kit.acceptRun('exec_1', 'whev_1', 'whev_2');
    await kit.handle([dead('whev_2')]);
    for (const id of ['whev_1', 'whev_2']) {
      const body = (await store.body(id)) ?? new Uint8Array();
      assert.equal(new TextDecoder().decode(body), `{"id":"${id}"}`);
    }
  },

  'makes a run due when its dead letter is opened during a lease': async ({ store, ...kit }) => {
    await kit.acceptRun('exec_1', 'whev_1');
    await kit.handle([dead('whev_1')]);
    await kit.acceptRun('exec_1', 'whev_2');
    const { lease } = await kit.takeOne();
    assert.equal(await store.redrive({ ids: ['whev_1'] }), 1);
    // What the holder reads of new events is not what was opened again.
    await kit.acceptRun('exec_1', 'whev_3');
    await store.news(lease, 2);
    const outcomes = [settled('whev_2'), settled('whev_3')];
    await store.finish(lease, outcomes, { do: 'release', dueIn: null });
    assert.deepEqual(
      (await kit.takeOne()).open.map(({ id }) => id),
      ['whev_1'],
    );
  },

  'discards a dead letter and still knows its id': async ({ store, ...kit }) => {
    await store.accept(single('whev_1'));
    assert.equal(await store.discard({ ids: ['whev_1'] }), 0);
    await kit.handle([dead('whev_1')]);
    assert.equal(await store.discard({ ids: ['whev_1'] }), 1);
    assert.equal(await store.discard({ ids: ['whev_1'] }), 0);
    assert.equal((await store.deadLetters({ after: null, limit: 10 })).items.length, 0);
    assert.equal(await store.body('whev_1'), null);
    assert.equal(await store.accept(single('whev_1')), 'duplicate');
  },

  'counts and discards dead letters by id, reason, run and automation': async ({
    store,
    ...kit
  }) => {
    for (const id of ['whev_1', 'whev_2', 'whev_3', 'whev_4']) {
      const runId = id === 'whev_3' ? 'exec_2' : 'exec_1';
      await store.accept(ofRun(runId, id, { automationId: id === 'whev_3' ? 'wf_2' : AUTOMATION }));
      await kit.handle([dead(id)]);
    }
    const counts: readonly (readonly [DeadLetterFilter, number])[] = [
      [{ ids: ['whev_2', 'whev_2', 'whev_3', 'unknown'], runId: 'exec_1' }, 1],
      [{ reason: 'event_poisoned' }, 0],
      [{ automationId: 'wf_2', reason: 'handler_failed' }, 1],
      [{ runId: 'exec_1' }, 2],
      [{}, 0],
    ];
    assert.equal(await store.countDead({}), 4);
    for (const [filter, count] of counts) {
      assert.deepEqual(
        [await store.countDead(filter), await store.discard(filter)],
        [count, count],
      );
    }
    const { dead: left, settled: gone } = await store.stats();
    assert.deepEqual([left, gone], [0, 4]);
  },

  'changes any number of dead letters': async ({ store }) => {
    const count = 1_100;
    const content = { kind: 'invalid', error: 'no event' } as const;
    const events = Array.from({ length: count }, (_, index) => single(`whev_${index}`));
    await Promise.all(events.map((event) => store.accept({ ...event, content })));
    assert.equal(await store.countDead({}), count);
    assert.equal(await store.discard({ reason: 'event_quarantined' }), count);
    assert.equal(await store.countDead({}), 0);
  },

  'purges old settled jobs, and never a part of a run or a dead letter': async (kit) => {
    const { store } = kit;
    await store.accept(single('single'));
    await kit.handle([settled('single')]);
    await kit.acceptRun('exec_1', 'old_1', 'old_2');
    await kit.handle([settled('old_1'), settled('old_2', true)]);
    await kit.acceptRun('exec_2', 'part_1', 'part_2');
    await kit.handle([settled('part_1')], { do: 'release', dueIn: 3_600_000 });
    await kit.acceptRun('exec_3', 'dead_1');
    await kit.handle([dead('dead_1')]);
    assert.equal(await store.purge(3_600_000), 0);
    await kit.elapse(30);
    assert.equal(await store.purge(1), 3);
    assert.equal(await store.purge(1), 0);
    await kit.acceptRun('exec_1', 'old_1');
    assert.equal((await kit.takeOne()).isRunSettled, false);
    assert.equal(await store.accept(single('single')), 'new');
    assert.equal((await store.history('exec_2')).length, 2);
    assert.equal((await store.inspect('dead_1'))?.state, 'dead');
  },
};
