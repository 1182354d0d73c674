import { strict as assert } from 'node:assert';

import type { Sink } from '@hookproof/spec/control';
import { request } from 'undici';

import type { Rule } from './rule.ts';
import { only } from './server-client.ts';

/** What a sink answers, and what it shows. */
export const sinkRules: readonly Rule[] = [
  {
    id: 'sink.script',
    rule: 'Answers are given one after another, the last one again and again.',
    async holds(lab) {
      const { url } = await lab.sink([{ status: 503 }, { status: 429 }, { status: 201 }]);
      const statuses: number[] = [];
      for (let time = 0; time < 5; time += 1) statuses.push((await post(url)).statusCode);
      assert.deepEqual(statuses, [503, 429, 201, 201, 201]);
    },
  },
  {
    id: 'sink.whole-answer',
    rule: 'An answer has the headers and the body of its script.',
    async holds(lab) {
      const headers = { 'Retry-After': '7', Location: '/é' };
      const { url } = await lab.sink([{ status: 418, headers, body: 'käse' }]);
      const answer = await post(url);
      assert.equal(answer.statusCode, 418);
      assert.equal(answer.headers['retry-after'], '7');
      assert.equal(await answer.body.text(), 'käse');
    },
  },
  {
    id: 'sink.changed',
    rule: 'A changed script holds from the next arrival on.',
    async holds(lab) {
      const { id, url } = await lab.sink([{ status: 503 }]);
      await post(url);
      await lab.control('PATCH', `/sinks/${id}`, { answers: [{ status: 409 }, { status: 200 }] });
      assert.deepEqual([(await post(url)).statusCode, (await post(url)).statusCode], [409, 200]);
    },
  },
  {
    id: 'sink.after',
    rule: 'afterMilliseconds: the answer comes so much later by the clock, and is null until then.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 200, afterMilliseconds: 4_000 });
      await receiver.sendTest();
      await lab.advance(3_999);
      assert.equal(only(await receiver.arrivals()).answer, null);
      await lab.advance(1);
      assert.equal(only(await receiver.arrivals()).answer, 200);
      const { startedAt, finishedAt } = only((await receiver.delivery()).attempts);
      assert.equal(Date.parse(finishedAt) - Date.parse(startedAt), 4_000);
    },
  },
  {
    id: 'sink.hang',
    rule: 'hang: no answer ever comes.',
    async holds(lab) {
      const receiver = await lab.receiver({ hang: true });
      await receiver.sendTest();
      await lab.advance(10_000);
      assert.equal(only(await receiver.arrivals()).answer, 'hang');
      assert.equal(only((await receiver.delivery()).attempts).error, 'timeout');
    },
  },
  {
    id: 'sink.reset',
    rule: 'reset: the connection is reset, at once or so much later.',
    async holds(lab) {
      const receiver = await lab.receiver({ reset: true, afterMilliseconds: 2_000 });
      await receiver.sendTest();
      await lab.advance(2_000);
      assert.equal(only(await receiver.arrivals()).answer, 'reset');
      const { error, startedAt, finishedAt } = only((await receiver.delivery()).attempts);
      assert.equal(error, 'ECONNRESET');
      assert.equal(Date.parse(finishedAt) - Date.parse(startedAt), 2_000);
    },
  },
  {
    id: 'sink.paired',
    rule: 'What arrived stands beside what was sent, with its delivery, its event and the number of its attempt.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 503 }, { status: 200 });
      await receiver.sendTest(2);
      await lab.advance(60_000);
      const rows = (await receiver.deliveries()).flatMap(({ id, eventId, attempts }) =>
        attempts.map(({ number }) => `${id} ${eventId} ${number}`),
      );
      const exchanges = await receiver.exchanges();
      const shown = exchanges.map(
        ({ sent }) => `${sent?.deliveryId} ${sent?.eventId} ${sent?.attempt}`,
      );
      assert.deepEqual(shown.toSorted(), rows.toSorted());
      for (const { sent, arrived } of exchanges) {
        assert.ok(sent !== null && arrived?.body?.includes(sent.eventId));
        assert.equal(sent.endpointId, receiver.endpoint.id);
      }
    },
  },
  {
    id: 'sink.honest',
    rule: 'An honest delivery arrives as it was sent: differs is empty.',
    async holds(lab) {
      const receiver = await lab.receiver();
      await receiver.change({ headers: { 'X-Team': 'blue', 'X-Blank': '' } });
      await receiver.tryOnce();
      const { differs, arrived } = only(await receiver.exchanges());
      assert.deepEqual(differs, []);
      assert.equal(arrived?.complete, true);
    },
  },
  {
    id: 'sink.honest-side',
    rule: 'What was sent is shown as it was before any pathology.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { id: endpointId } = receiver.endpoint;
      await lab.plant({ name: 'tampered-body', endpointId });
      const { eventId } = await receiver.tryOnce();
      const { sent, arrived } = only(await receiver.exchanges());
      const { payload } = await lab.control<{ payload: string }>('GET', `/events/${eventId}`);
      assert.equal(sent?.body, payload);
      assert.notEqual(arrived?.body, payload);
    },
  },
  {
    id: 'sink.never-arrived',
    rule: 'What never came is shown with arrived null, and does not count.',
    async holds(lab) {
      const receiver = await lab.receiver();
      await lab.plant({ name: 'drop-then-redeliver', endpointId: receiver.endpoint.id });
      await receiver.tryOnce();
      const { sent, arrived, differs } = only(await receiver.exchanges());
      assert.deepEqual([sent?.attempt, arrived, differs], [1, null, []]);
      const { arrived: count } = await lab.control<Sink>('GET', `/sinks/${receiver.sink.id}`);
      assert.equal(count, 0);
      await lab.advance(400);
      const beside = (await receiver.exchanges()).map((exchange) => exchange.arrived?.number);
      assert.deepEqual(beside, [undefined, 1]);
    },
  },
  {
    id: 'sink.stranger',
    rule: 'A request that the sender did not make has sent null, also when it repeats a delivery.',
    async holds(lab) {
      const receiver = await lab.receiver();
      await receiver.tryOnce();
      const { arrived } = only(await receiver.exchanges());
      const repeated = (arrived?.headers ?? []).filter(([name = '']) =>
        name.startsWith('webhook-'),
      );
      const headers = Object.fromEntries(repeated) as Record<string, string>;
      await post(receiver.sink.url, arrived?.body, headers);
      const [first, second] = await receiver.exchanges();
      assert.notEqual(first?.sent, null);
      assert.equal(second?.sent, null);
      assert.equal(second?.arrived?.body, arrived?.body);
    },
  },
  {
    id: 'sink.cut-off',
    rule: 'A request that is cut off arrives as incomplete and uses up no answer.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 202 }, { status: 200 });
      await lab.plant({ name: 'truncated-body', endpointId: receiver.endpoint.id });
      await receiver.tryOnce();
      await lab.wait({ for: 'sink', id: receiver.sink.id, arrived: 1 });
      await lab.advance(60_000);
      const arrivals = await receiver.arrivals();
      assert.deepEqual(
        arrivals.map(({ complete, answer }) => [complete, answer]),
        [
          [false, null],
          [true, 202],
        ],
      );
    },
  },
  {
    id: 'sink.no-text',
    rule: 'A body that is not UTF-8 stands in base64.',
    async holds(lab) {
      const { id, url } = await lab.sink();
      await post(url, Buffer.from([0xff, 0xfe, 0x00]));
      const { exchanges } = await lab.control<Sink>('GET', `/sinks/${id}`);
      const { arrived } = only(exchanges);
      assert.deepEqual([arrived?.body, arrived?.bodyBase64], [undefined, '//4A']);
    },
  },
  {
    id: 'sink.closed',
    rule: 'A sink that is closed cuts off who waits, and is a 404 from then on.',
    async holds(lab) {
      const receiver = await lab.receiver({ hang: true });
      await receiver.sendTest();
      await lab.settle();
      await lab.control('DELETE', `/sinks/${receiver.sink.id}`);
      await lab.wait({ for: 'delivery', id: (await receiver.delivery()).id, attempts: 1 });
      assert.equal((await post(receiver.sink.url)).statusCode, 404);
      await lab.refusal('GET', `/sinks/${receiver.sink.id}`);
    },
  },
  {
    id: 'sink.full',
    rule: 'There are at most 100 at once.',
    async holds(lab) {
      await Promise.all(Array.from({ length: 100 }, () => lab.sink()));
      const { issues } = await lab.refusal('POST', '/sinks', {});
      assert.equal(only(issues).code, 'too_many_sinks');
    },
  },
];

function post(
  url: string,
  body: string | Buffer = '',
  headers: Record<string, string> = {},
): ReturnType<typeof request> {
  return request(url, { method: 'POST', body, headers });
}
