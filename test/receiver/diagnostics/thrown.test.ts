import { AssertionError } from 'node:assert';
import { connect } from 'node:net';
import { once } from 'node:events';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { describeThrown, stackOf } from '../../../receiver/src/thrown.ts';

describe('a thrown value', () => {
  const circular = new Error('round');
  circular.cause = circular;

  it.each<[unknown, string]>([
    [new TypeError('no'), 'TypeError: no'],
    [
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED', { cause: 'off' }) }),
      'TypeError: fetch failed (cause: Error: connect ECONNREFUSED) (cause: "off")',
    ],
    [
      new AggregateError([new Error('connect ECONNREFUSED ::1:1'), new Error('other')]),
      'AggregateError:  (cause: Error: connect ECONNREFUSED ::1:1)',
    ],
    [Object.assign(new Error(''), { code: 'ENOENT' }), 'Error: ENOENT'],
    [circular, 'Error: round'],
    [{ code: 42 }, '{ code: 42 }'],
    [{ status: 'down', body: { text: 'private' } }, '{ status: "down", body: … }'],
    [{}, 'a thrown object without members'],
    ['text', '"text"'],
    [7, '7'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Symbol('s'), 'Symbol(s)'],
    [() => 'x', 'a function'],
    [new Error('x'.repeat(5_000)), `Error: ${'x'.repeat(293)}`],
  ])('%#. is described with its causes', (thrown, expected) => {
    expect(describeThrown(thrown)).toBe(expected);
  });

  it('of Node.js says which address refused', async () => {
    const [error]: unknown[] = await once(connect(1, '127.0.0.1'), 'error');
    const failed = new TypeError('fetch failed', { cause: error });
    expect(describeThrown(failed)).toMatch(/^TypeError: fetch failed \(cause: Error: connect E/);
  });

  it('has the stacks of its causes', () => {
    const stack = stackOf(new Error('outer', { cause: new AssertionError({ message: 'inner' }) }));
    expect(stack).toMatch(/^Error: outer\n +at [^]+\n {2}caused by AssertionError[^]+inner\n +at /);
    expect(stackOf({ code: 42 })).toBeNull();
  });

  it('of any kind is described, in at most a thousand characters', () => {
    const hostile = new Proxy(new Error('x'), {
      get() {
        throw new Error('no member can be read');
      },
    });
    expect(describeThrown(hostile)).not.toBe('');
    const { proxy: revoked, revoke } = Proxy.revocable([], {});
    revoke();
    const unreadable = 'TypeError: an object that cannot be read was thrown';
    expect(describeThrown(revoked)).toBe(unreadable);
    expect(describeThrown({ cause: revoked })).toBe(`{ cause: … } (cause: ${unreadable})`);
    expect(describeThrown({ errors: revoked })).toBe('{ errors: … }');
    expect(describeThrown({ errors: [revoked] })).toBe(`{ errors: … } (cause: ${unreadable})`);
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (thrown) => {
        expect(describeThrown(thrown).length).toBeLessThanOrEqual(1_000);
        stackOf(thrown);
      }),
    );
  });
});
