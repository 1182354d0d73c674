import { readFileSync } from 'node:fs';

import { RUN_STATUSES } from '@hookproof/spec';
import { listControlOperations, loadControl } from '@hookproof/spec/control';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { CONTROL_PREFIX } from '../../../server-reference/src/lab/control/control-interface.ts';
import { DELIVERY_FAULT_NAMES } from '../../../server-reference/src/lab/delivery-faults/delivery-fault.ts';
import {
  CHANGES_BETWEEN_LOOKS,
  ENDED_RUNS_KEPT,
  SETTLED_DELIVERIES_KEPT,
  UNSENT_EVENTS_KEPT,
} from '../../../server-reference/src/platform/store/prune-history.ts';
import { RUN_TRANSITIONS } from '../../../server-reference/src/platform/state/run-transitions.ts';
import { RETRY_PROFILES } from '../../../server-reference/src/platform/sender/retry.ts';
import {
  MAX_ATTEMPTS,
  SHARE_OF_FREE_PLACES,
} from '../../../server-reference/src/platform/sender/sender.ts';
import { listenAt } from '../sender/endpoint-listener.ts';
import { startControlled } from './control-client.ts';

const page = readFileSync(new URL('../../../server-reference/CONTROL.md', import.meta.url), 'utf8');

interface Section {
  readonly method: string;
  readonly path: string;
  readonly success: number;
  readonly curl: string;
}

const sections: Section[] = page
  .split(/^### /m)
  .slice(1)
  .map((text) => ({
    method: /^`(\w+) /.exec(text)?.[1] ?? '',
    path: /^`\w+ (\S+)`/.exec(text)?.[1] ?? '',
    success: Number(/Answers `(\d+)`/.exec(text)?.[1]),
    curl: /^curl .*$/m.exec(text)?.[0] ?? '',
  }));

/** The cells of the table rows that begin with one of these names. */
function rows(names: readonly string[]): string[][] {
  return page
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([first]) => names.some((name) => first === `\`${name}\``));
}

test('the page has every operation of control.yaml with its success, and no other', () => {
  const documented = listControlOperations(loadControl()).map(({ method, path, responses }) => {
    const success = Object.keys(responses).find((status) => status.startsWith('2'));
    return `${method} ${CONTROL_PREFIX}${path} ${success}`;
  });
  expect(
    sections.map(({ method, path, success }) => `${method} ${path} ${success}`).toSorted(),
  ).toEqual(documented.toSorted());
});

test('the page says where the form for programs is', () => {
  const [, target = ''] = /\[`control\.yaml`\]\(([^)]+)\)/.exec(page) ?? [];
  const text = readFileSync(
    new URL(`../../../server-reference/${target}`, import.meta.url),
    'utf8',
  );
  expect(parse(text)).toMatchObject({ info: { title: 'Test-control interface' } });
});

test('each curl line does what its section says', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  const endpoint = await control.endpoint(listener.url);
  const spare = await control.endpoint(listener.url);
  const run = await control.run();
  await control.idle();
  const [delivery] = await control.deliveries(`?endpointId=${endpoint.id}`);
  const key = await control.expectOk<{ id: string }>(201, '/keys', { scope: [] });
  const fault = await control.expectOk<{ id: string }>(201, '/faults', {
    match: {},
    effect: { status: 500 },
  });
  const sink = await control.expectOk<{ id: string }>(201, '/sinks', {});
  const pathology = await control.expectOk<{ id: string }>(201, '/pathologies', {
    name: 'delay',
    endpointId: spare.id,
  });
  const values: Record<string, string> = {
    PATHOLOGY_ID: pathology.id,
    KEY_ID: key.id,
    SINK_ID: sink.id,
    FAULT_ID: fault.id,
    RUN_ID: run.id,
    ENDPOINT_ID: endpoint.id,
    SPARE_ENDPOINT_ID: spare.id,
    DELIVERY_ID: delivery?.id ?? '',
    EVENT_ID: delivery?.eventId ?? '',
  };
  for (const { method, path, success, curl } of sections) {
    const target = /\$CONTROL(\S*?)"?$/.exec(curl)?.[1] ?? expect.unreachable(curl);
    const filled = target.replaceAll(/\$([A-Z_]+)/g, (_whole, name: string) => values[name] ?? '?');
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

test('the page names every pathology with its bounds and defaults', () => {
  const { schemas } = loadControl().components;
  const orders = Object.values(schemas).filter(({ properties }) =>
    DELIVERY_FAULT_NAMES.some((name) => properties?.['name'] && properties['name'].const === name),
  );
  const described = orders.map(({ properties = {} }) => {
    const {
      name,
      endpointId: _endpoint,
      runId: _run,
      deliveries: _most,
      ...parameters
    } = properties;
    const bounds = Object.entries(parameters).map(([key, schema]) => {
      const { minimum, maximum, default: preset } = schema || {};
      return preset === undefined
        ? ''
        : `\`${key}\` ${minimum}–${maximum} (${JSON.stringify(preset)})`;
    });
    return [`\`${String(name && name.const)}\``, bounds.filter((text) => text !== '').join(', ')];
  });
  const documented = rows(DELIVERY_FAULT_NAMES).map(([name, parameters = '']) => [
    name,
    parameters.startsWith('`bytes`') ? '' : parameters,
  ]);
  expect(documented).toEqual(described);
});

test('the page shows every field of an attempt, in its order', () => {
  const shown = /attempts: \[\{([^]*?)\}\] \}/.exec(page)?.[1] ?? '';
  const fields = shown.replaceAll(/\{.*?\}|"\w+"|null/g, '').match(/[a-zA-Z]+/g);
  const { DeliveryAttempt } = loadControl().components.schemas;
  expect(fields).toEqual(Object.keys(DeliveryAttempt?.properties ?? {}));
});

test('the table of transitions is the one that the server has', () => {
  const documented = rows(RUN_STATUSES)
    .filter((cells) => cells.length === 2)
    .map(([from = '', to = '']) => [from.replaceAll('`', ''), to.match(/\w+/g) ?? []]);
  expect(documented).toEqual(Object.entries(RUN_TRANSITIONS));
});

test('the table of retry profiles is the one that the server has', () => {
  const documented = rows(Object.keys(RETRY_PROFILES)).map(([, ...cells]) => cells.map(Number));
  expect(documented).toEqual(
    Object.values(RETRY_PROFILES).map((profile) => [
      profile.attempts,
      profile.firstDelayMilliseconds,
      profile.factor,
      profile.capMilliseconds,
    ]),
  );
});

test('the bounds on the page are those that the server has', () => {
  for (const sentence of [
    `deliveries that are settled the newest ${SETTLED_DELIVERIES_KEPT} stay`,
    `runs that have ended the newest ${ENDED_RUNS_KEPT},`,
    `the newest ${UNSENT_EVENTS_KEPT}.`,
    `once in ${CHANGES_BETWEEN_LOOKS} changes`,
    `At most ${MAX_ATTEMPTS} attempts are under way at once`,
    `at most a ${1 / SHARE_OF_FREE_PLACES}th of the places that are free`,
  ]) {
    expect(page).toContain(sentence);
  }
});
