import type { AttemptDetail, AttemptRequest } from '@hookproof/spec/control';

import { quote } from '../../parts/command.tsx';

/** Returns a curl command that sends the request of an attempt again. Signatures expire after 300 s. */
export function curlOf({ url, headers, body, bodyBase64 }: AttemptRequest): string {
  const lines = [
    `curl -X POST ${quote(url)}`,
    ...headers
      .filter(([name = '']) => !/^(host|content-length|connection)$/i.test(name))
      .map(
        ([name = '', value = '']) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`,
      ),
    bodyBase64 === undefined ? `--data-binary ${quote(body ?? '')}` : '--data-binary @-',
  ];
  const command = lines.join(' \\\n  ');
  return bodyBase64 === undefined ? command : `echo ${bodyBase64} | base64 -d | ${command}`;
}

/** Returns a command that lets the server redeliver, for an attempt whose request is no longer kept. */
export function redeliverCommand({ deliveryId }: Pick<AttemptDetail, 'deliveryId'>): string {
  return [
    `curl -X POST ${quote(`${location.origin}/_control/deliveries/${deliveryId}/redeliver`)}`,
    '-H "Authorization: Bearer $HOOKPROOF_CONTROL_TOKEN"',
    "-H 'Content-Type: application/json'",
    "-d '{}'",
  ].join(' \\\n  ');
}

/** Returns a test for node:test that sends the event of a delivery, signed again, to the URL of its endpoint. */
export function testOf({ url, body = '' }: AttemptRequest): string {
  const event = JSON.stringify(JSON.parse(body), null, 2);
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';

import { signEvent } from '@hookproof/receiver/testing';

const event = ${event};

test('accepts ' + event.type, async () => {
  const { headers, body } = signEvent(event, { secret: process.env.WEBHOOK_SECRET });
  const response = await fetch(${JSON.stringify(url)}, { method: 'POST', headers, body });
  assert.equal(response.ok, true, \`got \${response.status}: \${await response.text()}\`);
});
`;
}
