import { describe, expect, test } from 'vitest';

import { checks } from '@hookproof/conformance';
import { loadRequirements } from '@hookproof/spec/requirements';

import { coverageTable } from './coverage-table.ts';

const requirements = loadRequirements();
const named = new Set(requirements.flatMap(({ checks: ids = [] }) => ids));

describe('the catalogue', () => {
  test('has checks', () => {
    expect(checks.length).toBeGreaterThan(0);
  });

  test('gives each check an id of its own, under its side', () => {
    const ids = checks.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(
      checks.filter(({ id, side }) => !id.startsWith(`${side}.`) || !/^[a-z0-9.-]+$/.test(id)),
    ).toEqual([]);
  });

  test('ties each check to a requirement of its side that names it', () => {
    const untied = checks.filter(({ id, requirement, side }) => {
      const row = requirements.find((candidate) => candidate.id === requirement);
      return row?.side !== side || row.checks?.includes(id) !== true;
    });
    expect(untied.map(({ id, requirement }) => `${id} -> ${requirement}`)).toEqual([]);
  });

  test('holds every check that a requirement names', () => {
    const known = new Set(checks.map(({ id }) => id));
    expect([...named].filter((id) => !known.has(id))).toEqual([]);
  });

  test('has no check that no requirement names', () => {
    expect(checks.filter(({ id }) => !named.has(id)).map(({ id }) => id)).toEqual([]);
  });

  test('declares what each side cannot do without', () => {
    const senders = checks.filter(({ side }) => side === 'sender');
    expect(
      senders.filter(({ needs }) => !needs.some((need) => need.startsWith('control'))),
    ).toEqual([]);
    const receivers = checks.filter(({ side }) => side === 'receiver');
    expect(
      receivers.filter(({ needs }) => !needs.some((need) => need.startsWith('receiver'))),
    ).toEqual([]);
  });

  test('is tabled in COVERAGE.md', async () => {
    await expect(coverageTable(requirements, checks)).toMatchFileSnapshot(
      '../../conformance/COVERAGE.md',
    );
  });
});
