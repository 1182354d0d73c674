import { readFileSync } from 'node:fs';

import { listControlOperations, loadControl } from '@hookproof/spec/control';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { CONTROL_PREFIX } from '../../../../server-reference/src/lab/control/control-interface.ts';
import { listenAt } from '../../platform/sender/endpoint-listener.ts';
import { send } from '../../send.ts';
import { startControlled } from './control-client.ts';

const page = readFileSync(
  new URL('../../../../server-reference/CONTROL.md', import.meta.url),
  'utf8',
);

interface Section {
  readonly method: string;
  readonly path: string;
  readonly success: number;
  readonly curl: string;
}

const sections: Section[] = page
  .slice(0, page.indexOf('## Errors'))
  .split(/^### /m)
  .slice(1)
  .map((text) => ({
    method: /^`(\w+) /m.exec(text)?.[1] ?? '',
    path: /^`\w+ (\S+)`$/m.exec(text)?.[1] ?? '',
    success: Number(/^- `(2\d+)`/m.exec(text)?.[1]),
    curl: /^curl .*$/m.exec(text)?.[0] ?? '',
  }));

test('the page has exactly the operations of control.yaml, each with its success status', () => {
  const documented = listControlOperations(loadControl()).map(({ method, path, responses }) => {
    const success = Object.keys(responses).find((status) => status.startsWith('2'));
    return `${method} ${CONTROL_PREFIX}${path} ${success}`;
  });
  expect(
    sections.map(({ method, path, success }) => `${method} ${path} ${success}`).toSorted(),
  ).toEqual(documented.toSorted());
});

test('the page links to control.yaml', () => {
  const [, target = ''] = /\[`control\.yaml`\]\(([^)]+)\)/.exec(page) ?? [];
  const text = readFileSync(
    new URL(`../../../../server-reference/${target}`, import.meta.url),
    'utf8',
  );
  expect(parse(text)).toMatchObject({ info: { title: 'Test-control interface' } });
});

test('every link on the page leads to a section or a file', () => {
  const anchors = new Set(
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
  const targets = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
  expect(targets.length).toBeGreaterThan(100);
  expect(targets.filter((anchor) => !anchors.has(anchor))).toEqual([]);
});

function removesAll({ method, path }: Section): boolean {
  return method === 'DELETE' && !path.endsWith('}');
}

test('each command on the page succeeds', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  const endpoint = await control.endpoint(listener.url);
  const spare = await control.endpoint(listener.url);
  const run = await control.run();
  await control.idle();
  const [delivery] = await control.deliveries(`?endpointId=${endpoint.id}`);
  const key = await control.expectOk<{ id: string }>(201, '/keys', { scope: [] });
  const fault = await control.expectOk<{ id: string }>(201, '/api-faults', {
    match: {},
    effect: { status: 500 },
  });
  const world = await control.expectOk<{ id: string }>(201, '/worlds', {});
  const sink = await control.expectOk<{ id: string }>(201, '/sinks', {});
  const deliveryFault = await control.expectOk<{ id: string }>(201, '/delivery-faults', {
    name: 'delay',
    endpointId: spare.id,
  });
  const refused = await send(control.server.baseUrl, {
    method: 'GET',
    path: '/v1/agents',
    headers: {},
  });
  const values: Record<string, string> = {
    WORLD_ID: world.id,
    DELIVERY_FAULT_ID: deliveryFault.id,
    KEY_ID: key.id,
    SINK_ID: sink.id,
    API_FAULT_ID: fault.id,
    RUN_ID: run.id,
    WEBHOOK_ENDPOINT_ID: endpoint.id,
    DELIVERY_ID: delivery?.id ?? '',
    EVENT_ID: delivery?.eventId ?? '',
    REQUEST_ID: String(refused.headers['x-request-id']),
  };
  // Commands that remove all of a kind come last: before that, one of the kind is removed.
  const ordered = [
    ...sections.filter((section) => !removesAll(section)),
    ...sections.filter(removesAll),
  ];
  for (const { method, path, success, curl } of ordered) {
    // It has no end; stream.test.ts reads it.
    if (path === `${CONTROL_PREFIX}/stream`) continue;
    const target = /\$CONTROL(\S*?)"?$/.exec(curl)?.[1] ?? expect.unreachable(curl);
    // One endpoint is disabled and deleted; the deliveries need the other.
    if (method === 'PATCH' || method === 'DELETE') values['WEBHOOK_ENDPOINT_ID'] = spare.id;
    const filled = target.replaceAll(/\$([A-Z_]+)/g, (_whole, name: string) => values[name] ?? '?');
    values['WEBHOOK_ENDPOINT_ID'] = endpoint.id;
    const json = /-d '(.*?)'/.exec(curl)?.[1];
    expect(/-X (\w+)/.exec(curl)?.[1] ?? 'GET', path).toBe(method);
    const shape = path.replaceAll(/\{\w+\}/g, '[^/?]+');
    expect(CONTROL_PREFIX + filled).toMatch(new RegExp(`^${shape}(\\?.*)?$`));
    const { status } = await control.call(filled, {
      method: method as 'GET',
      ...(json === undefined ? {} : { json: JSON.parse(json) }),
    });
    expect({ curl, status }).toEqual({ curl, status: success });
  }
});
