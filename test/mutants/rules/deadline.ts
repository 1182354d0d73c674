import { strict as assert } from 'node:assert';

import type { DeliveryAttempt, WebhookEndpoint } from '@hookproof/spec/control';

import type { Lab } from './lab.ts';
import type { Rule } from './rule.ts';
import { only } from './server-client.ts';
import type { ServerClient } from './server-client.ts';

const DEADLINE = 10_000;
const CAPTURE_BYTES = 4_096;

/** How long an attempt may take, and what of an answer counts. */
export const deadlineRules: readonly Rule[] = [
  {
    id: 'deadline.no-answer',
    rule: 'An attempt that gets no answer ends after 10 seconds as a timeout, not sooner, and is tried again.',
    async holds(lab) {
      const receiver = await lab.receiver({ hang: true });
      await receiver.sendTest();
      await lab.advance(DEADLINE - 1);
      assert.deepEqual((await receiver.delivery()).attempts, []);
      await lab.advance(1);
      const delivery = await receiver.delivery();
      timedOut(delivery.attempts);
      assert.equal(delivery.status, 'pending');
    },
  },
  {
    id: 'deadline.connecting',
    rule: 'The deadline counts from before the connection stands, also when it never does.',
    async holds(lab) {
      const impatient = await lab.start({ patienceMilliseconds: 50 });
      const endpoint = await impatient.endpoint(await lab.listenNever());
      await sendTest(impatient, endpoint);
      await impatient.advance(DEADLINE);
      timedOut(await attemptsTo(impatient, endpoint));
    },
  },
  {
    id: 'deadline.body',
    rule: 'The deadline is not prolonged by the head of an answer, nor by the beginning of its body.',
    async holds(lab) {
      const impatient = await lab.start({ patienceMilliseconds: 50 });
      const listener = await lab.listen(() => {});
      const endpoint = await impatient.endpoint(listener.url);
      await sendTest(impatient, endpoint);
      const socket = await listener.request(1);
      await impatient.advance(6_000);
      await new Promise((resolve) =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', resolve),
      );
      await impatient.now();
      await impatient.advance(DEADLINE - 6_000);
      timedOut(await attemptsTo(impatient, endpoint));
    },
  },
  {
    id: 'deadline.in-time',
    rule: 'An answer just before the deadline counts.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 200, afterMilliseconds: DEADLINE - 1 });
      await receiver.sendTest();
      await lab.advance(DEADLINE);
      assert.equal((await receiver.delivery()).status, 'delivered');
    },
  },
  {
    id: 'answer.capture',
    rule: 'Of the body of an answer 4096 bytes are kept.',
    async holds(lab) {
      const receiver = await lab.receiver(
        { status: 200, body: 'x'.repeat(CAPTURE_BYTES + 1_000) },
        { status: 200, body: 'y'.repeat(CAPTURE_BYTES - 1) },
      );
      await receiver.sendTest(2);
      await lab.settle();
      const kept = (await receiver.deliveries()).map(({ attempts }) => only(attempts).responseBody);
      assert.deepEqual(
        kept.map((body) => body?.length).toSorted((a, b) => Number(a) - Number(b)),
        [CAPTURE_BYTES - 1, CAPTURE_BYTES],
      );
    },
  },
  {
    id: 'answer.endless',
    rule: 'A body without end is cut where the capture ends, and its status counts.',
    async holds(lab) {
      const attempt = await answeredRaw(lab, (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        const chunk = `2000\r\n${'z'.repeat(8_192)}\r\n`;
        const more = (): boolean => socket.writable && socket.write(chunk);
        socket.on('drain', more);
        more();
      });
      assert.equal(attempt.status, 200);
      assert.equal(attempt.responseBody?.length, CAPTURE_BYTES);
    },
  },
  {
    id: 'answer.interim',
    rule: 'Up to 16 interim answers are passed over; with more, there is no answer.',
    async holds(lab) {
      const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n';
      const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
      const few = await answeredRaw(lab, (socket) => socket.write(hints.repeat(16) + answer));
      assert.equal(few.status, 200);
      const many = await answeredRaw(lab, (socket) => socket.write(hints.repeat(17) + answer));
      assert.deepEqual([many.status, many.error], [null, 'too_many_interim_answers']);
    },
  },
  {
    id: 'answer.upgrade',
    rule: 'A switch of protocols is an answer that ends delivery.',
    async holds(lab) {
      const attempt = await answeredRaw(lab, (socket) =>
        socket.write('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n'),
      );
      assert.deepEqual([attempt.status, attempt.error], [101, null]);
    },
  },
  {
    id: 'answer.no-http',
    rule: 'An answer that is no HTTP is a network failure.',
    async holds(lab) {
      const attempt = await answeredRaw(lab, (socket) => socket.write('SSH-2.0-OpenSSH_9.7\r\n'));
      assert.equal(attempt.status, null);
      assert.match(attempt.error ?? '', /^HPE_/);
    },
  },
  {
    id: 'answer.cut-off',
    rule: 'A 200 whose body breaks off is a network failure.',
    async holds(lab) {
      const attempt = await answeredRaw(lab, (socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
      );
      assert.deepEqual([attempt.status, attempt.error], [null, 'ECONNRESET']);
    },
  },
];

function timedOut(attempts: readonly DeliveryAttempt[]): void {
  const { error, status, startedAt, finishedAt } = only(attempts);
  assert.deepEqual([status, error], [null, 'timeout']);
  assert.equal(Date.parse(finishedAt) - Date.parse(startedAt), DEADLINE);
}

async function sendTest(client: ServerClient, { id }: WebhookEndpoint): Promise<void> {
  await client.control('POST', `/webhook-endpoints/${id}/test`, {});
}

async function attemptsTo(
  client: ServerClient,
  { id }: WebhookEndpoint,
): Promise<readonly DeliveryAttempt[]> {
  return only(await client.deliveries(`?endpointId=${id}`)).attempts;
}

/** The attempt that such an answer leaves. */
async function answeredRaw(
  lab: Lab,
  answer: Parameters<Lab['listen']>[0],
): Promise<DeliveryAttempt> {
  const endpoint = await lab.endpoint((await lab.listen(answer)).url);
  await sendTest(lab, endpoint);
  await lab.settle();
  return only(await attemptsTo(lab, endpoint));
}
