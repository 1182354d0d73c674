import { describe, expect, test } from 'vitest';

import type { Check } from '@hookproof/conformance';

import { planFrom } from '../../../conformance/src/options/plan.ts';
import { selectChecks } from '../../../conformance/src/select/select.ts';

function check(id: string, side: Check['side']): Check {
  return {
    id,
    side,
    requirements: ['a.b'],
    title: id,
    access: 'read',
    needs: [],
    run: () => Promise.resolve(),
  };
}

const catalogue = [
  check('api.inbox.limit', 'api'),
  check('api.inbox.limit-above', 'api'),
  check('api.agent.slug', 'api'),
  check('sender.retry', 'sender'),
];

function select(...only: string[]): string[] {
  return selectChecks(catalogue, planFrom({ baseUrl: 'https://api.example', only })).map(
    ({ id }) => id,
  );
}

describe('selectChecks', () => {
  test('takes the selected sides', () => {
    expect(select()).toEqual(['api.inbox.limit', 'api.inbox.limit-above', 'api.agent.slug']);
  });

  test('takes what begins with a text, in the order of the catalogue', () => {
    expect(select('api.agent', 'api.inbox')).toEqual([
      'api.inbox.limit',
      'api.inbox.limit-above',
      'api.agent.slug',
    ]);
  });

  test('takes an exact id alone', () => {
    expect(select('api.inbox.limit')).toEqual(['api.inbox.limit']);
  });

  test('refuses what selects nothing', () => {
    expect(() => select('api.inbox', 'api.x')).toThrow(
      new TypeError('only: no check is called "api.x" and no id begins with it'),
    );
    expect(() => select('sender')).toThrow(
      new TypeError(
        'only: "sender" is on the sender side, which this run does not look at: select that side too',
      ),
    );
  });
});
