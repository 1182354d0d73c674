import { strict as assert } from 'node:assert';

import type { Lab } from './lab.ts';
import type { Rule } from './rule.ts';
import { only } from './server-client.ts';

const RESERVED = [
  'Webhook-Id',
  'webhook-timestamp',
  'webhook-signature',
  'Content-Type',
  'Content-Length',
  'Content-Encoding',
  'User-Agent',
  'Host',
  'Connection',
  'Keep-Alive',
  'Proxy-Connection',
  'Transfer-Encoding',
  'TE',
  'Trailer',
  'Upgrade',
  'Expect',
];

/** Custom headers of an endpoint are judged when it is configured. */
export const headerRules: readonly Rule[] = [
  {
    id: 'header.reserved',
    rule: 'No custom header may be one that the sender or the connection writes, in any case.',
    holds: (lab) =>
      eachRefused(
        lab,
        RESERVED.map((name) => [name, 'x']),
      ),
  },
  {
    id: 'header.name',
    rule: 'The name of a custom header is a token of HTTP of at most 100 characters.',
    holds: (lab) =>
      eachRefused(
        lab,
        ['', 'X Team', 'X-Team:', 'X-Té', 'X-Team\r\n', '"x"', 'x'.repeat(101)].map((name) => [
          name,
          'x',
        ]),
      ),
  },
  {
    id: 'header.value',
    rule: 'The value of a custom header is printable Latin-1 of at most 4000 characters: no line can be smuggled in.',
    holds: (lab) =>
      eachRefused(
        lab,
        ['a\r\nX-Evil: 1', 'a\nb', 'a\u0000', '\u007f', '日本', 'x'.repeat(4_001)].map((value) => [
          'X-Team',
          value,
        ]),
      ),
  },
  {
    id: 'header.number',
    rule: 'There are at most 20 custom headers.',
    async holds(lab) {
      await lab.endpoint('http://127.0.0.1:9/', { headers: numbered(20) });
      await refused(lab, numbered(21));
    },
  },
  {
    id: 'header.twice',
    rule: 'A custom header cannot be given twice in another case.',
    holds: (lab) => refused(lab, { 'X-Team': 'a', 'x-team': 'b' }),
  },
  {
    id: 'header.changed',
    rule: 'Custom headers are judged when they are changed as when they are given.',
    async holds(lab) {
      const { id } = await lab.endpoint('http://127.0.0.1:9/');
      await lab.refusal('PATCH', `/webhook-endpoints/${id}`, { headers: { Host: 'x' } });
    },
  },
  {
    id: 'header.replaced',
    rule: 'Changed headers replace all of them, from the next attempt on.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 503 }, { status: 200 });
      await receiver.change({ headers: { 'X-Old': '1', Authorization: 'Bearer é~' } });
      await receiver.tryOnce();
      await receiver.change({ headers: { 'X-New': '2' } });
      await lab.advance(1_000);
      const sent = (await receiver.arrivals()).map(({ headers }) =>
        headers.filter(([name = '']) => /^(x-|authorization)/i.test(name)),
      );
      assert.deepEqual(sent, [
        [
          ['X-Old', '1'],
          ['Authorization', 'Bearer é~'],
        ],
        [['X-New', '2']],
      ]);
    },
  },
];

async function eachRefused(lab: Lab, headers: readonly (readonly string[])[]): Promise<void> {
  for (const [name = '', value = ''] of headers) await refused(lab, { [name]: value });
}

async function refused(lab: Lab, headers: Readonly<Record<string, string>>): Promise<void> {
  const creation = { url: 'http://127.0.0.1:9/', headers };
  const { issues } = await lab.refusal('POST', '/webhook-endpoints', creation);
  const { field, code } = only(issues);
  assert.ok(field.startsWith('headers'), `${JSON.stringify(headers)}: ${field}`);
  assert.equal(code, 'invalid_value');
}

function numbered(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_one, index) => [`X-${index}`, 'x']));
}
