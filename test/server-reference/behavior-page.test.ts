import { readFileSync } from 'node:fs';

import { RUN_STATUSES } from '@hookproof/spec';
import { loadFreedoms } from '@hookproof/spec/requirements';
import { expect, test } from 'vitest';

import { DELIVERIES_PER_RUN } from '../../server-reference/src/store/prune-history.ts';
import { MAX_FILE_BYTES } from '../../server-reference/src/api/refuse-full.ts';
import { DEFAULT_HISTORY_LIMIT } from '../../server-reference/src/store/state.ts';
import { RUN_TRANSITIONS } from '../../server-reference/src/events/run-transitions.ts';
import { PAYLOAD_LIMIT_BYTES } from '../../server-reference/src/events/event.ts';
import {
  RETRY_AFTER_CAP_SECONDS,
  RETRY_PROFILES,
} from '../../server-reference/src/events/retry.ts';
import { MAX_ATTEMPTS } from '../../server-reference/src/events/delivery-queue.ts';

const page = readFileSync(new URL('../../server-reference/BEHAVIOR.md', import.meta.url), 'utf8');

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

test('the page has the transitions of the server', () => {
  const documented = rows(RUN_STATUSES)
    .filter((cells) => cells.length === 2)
    .map(([from = '', to = '']) => [from.replaceAll('`', ''), to.match(/\w+/g) ?? []]);
  expect(documented).toEqual(Object.entries(RUN_TRANSITIONS));
});

test('the page has the retry profiles of the server', () => {
  const documented = rows(Object.keys(RETRY_PROFILES)).map(([, ...cells]) => cells.map(Number));
  expect(documented).toEqual(
    Object.values(RETRY_PROFILES).map((profile) => [
      profile.firstDelayMilliseconds,
      profile.factor,
      profile.capMilliseconds,
    ]),
  );
});

const MEBIBYTE = 1_048_576;

test('the page has the bounds of the server', () => {
  for (const sentence of [
    `newest ${DEFAULT_HISTORY_LIMIT} ended runs`,
    `newest ${DEFAULT_HISTORY_LIMIT * DELIVERIES_PER_RUN} settled deliveries`,
    `newest ${DEFAULT_HISTORY_LIMIT * DELIVERIES_PER_RUN} events without a delivery`,
    'newest events of a review request: those that fit into 64 KiB',
    `it can have ${MAX_FILE_BYTES / MEBIBYTE} MiB`,
    `At most ${MAX_ATTEMPTS} attempts to one endpoint are in progress at once`,
  ]) {
    expect(page).toContain(sentence);
  }
});

test.each([
  ...Object.values(RETRY_PROFILES).map(
    ({ attempts }) => ['delivery.retry.attempt-count', `Makes ${attempts} attempts.`] as const,
  ),
  ['delivery.payload-limit', `the whole payload to ${PAYLOAD_LIMIT_BYTES / 1024} KiB`] as const,
])('freedoms.yaml has the bound of the server at %s: %s', (id, sentence) => {
  expect(loadFreedoms().find((row) => row.id === id)?.reference).toContain(sentence);
});

test('freedoms.yaml has the maximum of Retry-After', () => {
  const row = loadFreedoms().find(({ id }) => id === 'delivery.retry-after.limit');
  expect(row?.reference).toContain('up to one hour');
  expect(RETRY_AFTER_CAP_SECONDS).toBe(3600);
});
