import { spawnSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { holderName, seeingGoneHolders } from '../../../receiver/src/stores/holder.ts';

describe.skipIf(process.platform !== 'linux')('a holder of leases', () => {
  const own = holderName();
  const [unique = '', place = '', number = '', start = ''] = own.split(' ');
  const ended = String(spawnSync(process.execPath, ['--version']).pid);
  const otherNamespace = place.replace(/pid:\[\d+\]/, 'pid:[1]');

  it.each([
    ['the process itself', own, false],
    ['a process that has ended', [unique, place, ended, start].join(' '), true],
    ['one that had the number of this process', [unique, place, number, '1'].join(' '), true],
    ['one in another PID namespace', [unique, otherNamespace, ended, start].join(' '), false],
    ['one on another host', [unique, `other${place}`, ended, start].join(' '), false],
    ['a name without a process', unique, false],
  ])('%s: whether it is gone', (_, holder, isGone) => {
    expect(otherNamespace).not.toBe(place);
    expect(seeingGoneHolders()(holder)).toBe(isGone);
  });

  it('has a name of its own each time', () => {
    expect(holderName()).not.toBe(own);
  });
});
