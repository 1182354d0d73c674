import { describe, expect, test } from 'vitest';

import { checks } from '@hookproof/conformance';
import { loadRequirements } from '@hookproof/spec/requirements';

const requirements = loadRequirements();
const rows = new Map(requirements.map((row) => [row.id, row]));
const named = new Set(checks.flatMap((check) => check.requirements));

describe('the catalogue', () => {
  test('gives each check a unique id that starts with its side', () => {
    const ids = checks.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(
      checks.filter(({ id, side }) => !id.startsWith(`${side}.`) || !/^[a-z0-9.-]+$/.test(id)),
    ).toEqual([]);
  });

  test('names requirements that exist, on the side of the check, each once', () => {
    const wrong = checks.flatMap((check) =>
      check.requirements
        .filter((id, index, all) => rows.get(id)?.side !== check.side || all.indexOf(id) !== index)
        .map((id) => `${check.id} -> ${id}`),
    );
    expect(wrong).toEqual([]);
  });

  test('tests every requirement that is not excluded, and no other', () => {
    const tested = requirements.filter(
      ({ excluded, open }) => excluded === undefined && open === undefined,
    );
    expect([...named].toSorted()).toEqual(tested.map(({ id }) => id).toSorted());
  });

  test('declares the needs of each side', () => {
    const senders = checks.filter(({ side }) => side === 'sender');
    expect(senders.filter(({ needs }) => !needs.includes('driver'))).toEqual([]);
    const receivers = checks.filter(({ side }) => side === 'receiver');
    expect(
      receivers.filter(({ needs }) => !needs.some((need) => need.startsWith('receiver'))),
    ).toEqual([]);
  });
});
