import { strict as assert } from 'node:assert';

import type { Lab } from './lab.ts';
import { freePort } from './raw-listener.ts';
import type { Rule } from './rule.ts';
import { only } from './server-client.ts';
import { START } from './servers.ts';

const CREDENTIALS = 'link-local or cloud metadata address';
const ITSELF = 'where this server itself listens';

/** Where no event is ever sent, and where it is. */
export const targetRules: readonly Rule[] = [
  {
    id: 'target.link-local',
    rule: 'Link-local addresses are refused, in both families.',
    holds: (lab) =>
      eachRefused(lab, CREDENTIALS, ['169.254.1.1', '169.254.255.255', '[fe80::1]', '[febf::1]']),
  },
  {
    id: 'target.metadata',
    rule: 'The addresses at which clouds keep credentials are refused.',
    holds: (lab) =>
      eachRefused(lab, CREDENTIALS, [
        '169.254.169.254',
        '100.100.100.200',
        '168.63.129.16',
        '192.0.0.192',
        '[fd00:ec2::254]',
        '[fd20:ce::254]',
      ]),
  },
  {
    id: 'target.spelled-otherwise',
    rule: 'A refused address is refused in every spelling that a URL may give it.',
    holds: (lab) =>
      eachRefused(lab, CREDENTIALS, [
        '2852039166',
        '0xa9fea9fe',
        '0251.0376.0251.0376',
        '169.254.43518',
        '0xA9.0xFE.169.254',
        '１６９.254.169.254',
        '169.254.169.254.',
      ]),
  },
  {
    id: 'target.wrapped',
    rule: 'A refused IPv4 address is refused inside IPv6: compatible, mapped, translated and 6to4.',
    holds: (lab) =>
      eachRefused(lab, CREDENTIALS, [
        '[::169.254.169.254]',
        '[::ffff:169.254.169.254]',
        '[::ffff:0:a9fe:a9fe]',
        '[64:ff9b::a9fe:a9fe]',
        '[64:ff9b:1::a9fe:a9fe]',
        '[2002:a9fe:a9fe::1]',
      ]),
  },
  {
    id: 'target.itself',
    rule: 'The port of the server itself is refused at every address of this machine, wrapped ones and localhost included.',
    async holds(lab) {
      const { port } = new URL(lab.baseUrl);
      const hosts = [
        '127.0.0.1',
        '127.9.9.9',
        '2130706433',
        '0',
        '[::1]',
        '[::]',
        '[::ffff:7f00:1]',
      ];
      const names = ['localhost', 'LOCALHOST', 'localhost.', 'control.localhost'];
      await eachRefused(
        lab,
        ITSELF,
        [...hosts, ...names].map((host) => `${host}:${port}`),
      );
    },
  },
  {
    id: 'target.changed',
    rule: 'A URL is judged when it is changed as when it is given, and a refused change changes nothing.',
    async holds(lab) {
      const { id, url } = await lab.endpoint('http://127.0.0.1:9/');
      for (const bad of ['http://169.254.169.254/', lab.baseUrl]) {
        await lab.refusal('PATCH', `/webhook-endpoints/${id}`, { url: bad });
      }
      const all = await lab.control<{ data: { id: string; url: string }[] }>(
        'GET',
        '/webhook-endpoints',
      );
      assert.equal(all.data.find((one) => one.id === id)?.url, url);
    },
  },
  {
    id: 'target.form',
    rule: 'A URL is absolute, http or https, and without user name, password, fragment, blanks and control characters.',
    async holds(lab) {
      const host = '127.0.0.1:9';
      const bad = [
        '/hook',
        `ftp://${host}/`,
        `http://me@${host}/`,
        `http://:pw@${host}/`,
        `http://${host}/#a`,
        ` http://${host}/`,
        `http://${host}/a b`,
        `http://${host}/\n`,
        `ht\ttp://${host}/`,
      ];
      for (const url of bad) {
        const { issues } = await lab.refusal('POST', '/webhook-endpoints', { url });
        assert.deepEqual(
          issues.map(({ field }) => field),
          ['url'],
          url,
        );
      }
    },
  },
  {
    id: 'target.fine',
    rule: 'Loopback at other ports, private networks and public addresses are fine.',
    async holds(lab) {
      const hosts = [
        '127.0.0.1',
        'localhost',
        '[::1]',
        '10.0.0.1',
        '172.16.0.1',
        '192.168.0.1',
        '[fd00::1]',
      ];
      for (const host of [...hosts, '203.0.113.7', 'example.com'])
        await lab.endpoint(`http://${host}:9/`);
    },
  },
  {
    id: 'target.when-sent',
    rule: 'An address or a name that leads to the server itself when it is sent to is refused: nothing leaves, delivery ends as target_refused.',
    async holds(lab) {
      const [folder, port] = [lab.folder(), await freePort()];
      const first = await lab.start({ folder });
      const urls = ['127.0.0.1', 'localhost'].map(
        (host) => `http://${host}:${port}/_control/worlds`,
      );
      for (const url of urls) await first.endpoint(url);
      const { id } = await first.run();
      await first.settle();
      await first.close();
      const second = await lab.start({ folder, port, now: START + 60_000 });
      await second.settle();
      const told = ['the URL leads to 127.0.0.1', 'localhost leads to'];
      for (const [index, delivery] of (await second.deliveries(`?runId=${id}`)).entries()) {
        assert.deepEqual([delivery.status, delivery.endReason], ['ended', 'target_refused']);
        assert.equal(delivery.attempts.length, 2);
        const { error, detail, webhookTimestamp } = delivery.attempts[1] ?? {};
        assert.deepEqual([error, webhookTimestamp], ['target_refused', null]);
        assert.ok(detail?.startsWith(told[index] ?? '') && detail.includes(ITSELF), detail ?? '');
      }
    },
  },
];

async function eachRefused(lab: Lab, because: string, hosts: readonly string[]): Promise<void> {
  for (const host of hosts) {
    const { issues } = await lab.refusal('POST', '/webhook-endpoints', {
      url: `http://${host}/`,
    });
    const { field, code, message } = only(issues);
    assert.deepEqual([field, code], ['url', 'invalid_value']);
    assert.ok(message.includes(because), `${host}: ${message}`);
  }
}
