import { withHeader } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import type { Alter, When } from './alter.ts';
import {
  defect,
  isAgent,
  isCreated,
  isRedelivered,
  isRetry,
  isTest,
  only,
  renamed,
  signing,
} from './alter.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'webhook-header.id.equals-body',
  'webhook-timestamp': 'webhook-header.timestamp.seconds',
  'webhook-signature': 'webhook-header.signature.format',
  'content-type': 'webhook-header.content-type',
  'user-agent': 'webhook-header.user-agent',
  'x-hookproof-suite': 'webhook-header.custom',
  'x-hookproof-second': 'webhook-header.custom',
};

const SCOPES: Readonly<Record<string, When>> = {
  retries: isRetry,
  redeliveries: isRedelivered,
  'test-events': isTest,
};

/** Headers that are missing, renamed or of another value. */
export const headerDefects: readonly Defect[] = [
  ...Object.entries(HEADERS).flatMap(([name, breaks]) => [
    defect(`header-${name}-missing`, `Sends no ${name}.`, breaks, without(name)),
    defect(`header-${name}-renamed`, `Sends ${name} as x-other-${name}.`, breaks, (delivery) =>
      renamed(delivery, name, `x-other-${name}`),
    ),
  ]),
  ...Object.entries(HEADERS).flatMap(([name, breaks]) =>
    Object.entries(SCOPES).map(([scope, when]) =>
      defect(
        `header-${name}-lost-on-${scope}`,
        `Sends no ${name} with ${scope.replace('-', ' ')}.`,
        breaks,
        only(when, without(name)),
      ),
    ),
  ),
  ...['webhook-id', 'webhook-timestamp', 'user-agent', 'content-type', 'x-hookproof-suite'].map(
    (name) =>
      defect(
        `header-${name}-empty`,
        `Sends an empty ${name}.`,
        HEADERS[name] ?? '',
        signing((delivery) => withHeader(delivery, name, '')),
      ),
  ),
  ...['PUT', 'PATCH', 'GET'].map((method) =>
    defect(
      `method-${method.toLowerCase()}`,
      `Sends ${method}.`,
      'webhook-header.post',
      (delivery) => ({
        ...delivery,
        method,
      }),
    ),
  ),
  defect(
    'method-put-on-retries',
    'Sends retries as PUT.',
    'webhook-header.post',
    only(isRetry, (delivery) => ({ ...delivery, method: 'PUT' })),
  ),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'text/json',
    'application/cloudevents+json',
    'application/jsonp',
  ].map((type) =>
    defect(
      `content-type-${type.replaceAll(/[/+]/g, '-')}`,
      `Declares the body as ${type}.`,
      'webhook-header.content-type',
      (delivery) => withHeader(delivery, 'content-type', type),
    ),
  ),
  ...idDefects(),
  ...customDefects(),
];

function without(name: string): Alter {
  return (delivery) => withHeader(delivery, name, null);
}

function idDefects(): Defect[] {
  const breaks = 'webhook-header.id.equals-body';
  const id = (name: string, does: string, change: (id: string, run: string) => string): Defect =>
    defect(
      `webhook-id-${name}`,
      does,
      breaks,
      signing((delivery, { event, run }) =>
        withHeader(delivery, 'webhook-id', change(String(event['id']), String(run['id']))),
      ),
    );
  return [
    id('other', 'webhook-id is another id.', (value) => `${value}0`),
    id('upper-case', 'webhook-id is in upper case.', (value) => value.toUpperCase()),
    id('without-prefix', 'webhook-id has no prefix.', (value) => value.replace('whev_', '')),
    id('of-run', 'webhook-id is the id of the run.', (_value, run) => run),
    id('with-quotes', 'webhook-id is in quotes.', (value) => `"${value}"`),
    defect(
      'webhook-id-with-attempt',
      'webhook-id ends with the number of the attempt.',
      'webhook-header.id.stable',
      signing((delivery, { event, attempt }) =>
        withHeader(delivery, 'webhook-id', `${String(event['id'])}-${attempt}`),
      ),
    ),
    defect(
      'webhook-id-new-on-retries',
      'A retry has another webhook-id.',
      'webhook-header.id.stable',
      signing(
        (delivery, { event }) => withHeader(delivery, 'webhook-id', `${String(event['id'])}9`),
        isRetry,
      ),
    ),
  ];
}

function custom(name: string, does: string, alter: Alter): Defect {
  return defect(`custom-header-${name}`, does, 'webhook-header.custom', alter);
}

function customDefects(): Defect[] {
  return [
    custom('upper-case', 'Sends the value of a custom header in upper case.', (delivery) =>
      withHeader(delivery, 'x-hookproof-suite', 'A CUSTOM VALUE'),
    ),
    custom('cut', 'Sends a custom header up to its first blank.', (delivery) =>
      withHeader(delivery, 'x-hookproof-suite', 'a'),
    ),
    custom('encoded', 'Sends the value of a custom header with percent encoding.', (delivery) =>
      withHeader(delivery, 'x-hookproof-suite', 'a%20custom%20value'),
    ),
    custom('swapped', 'Swaps the values of two custom headers.', (delivery) =>
      withHeader(
        withHeader(delivery, 'x-hookproof-suite', '2'),
        'x-hookproof-second',
        'a custom value',
      ),
    ),
    custom(
      'only-created',
      'Sends custom headers with run.created only.',
      only((seen) => !isCreated(seen), without('x-hookproof-second')),
    ),
    custom(
      'not-for-agents',
      'Sends no custom headers for runs of agents.',
      only(isAgent, without('x-hookproof-suite')),
    ),
  ];
}
