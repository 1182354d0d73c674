import { checks } from '@hookproof/conformance';
import { defects } from '@hookproof/conformance/proof';
import { loadFreedoms, loadRequirements } from '@hookproof/spec/requirements';
import { describe, expect, test } from 'vitest';

import { variants } from './variants/catalogue.ts';
import { mixturesOf, unmetPairs } from './mixtures.ts';

/** Freedoms that no exchange of a run can show, or that no check of the suite comes near. */
const INVISIBLE: Readonly<Record<string, string>> = {
  'run-review.correction.kind-values': 'No operation of the contract returns a correction.',
  'auth.key.expiry': 'A run uses its keys while they are valid.',
  'automation-move.no-field': 'No check moves an automation without a target.',
  'inbox.parameter.empty': 'No check sends an empty parameter.',
  'inbox.parameter.unknown': 'No check sends an unknown parameter.',
  'inbox.status-filter.unknown': 'No check filters by an unknown status.',
  'input-delete.repeated': 'No check deletes a file twice.',
  'limits.upload-size': 'The check of the limit is told its size.',
  'status-code.404.other-automation':
    'No check asks for a part under another automation of its tenant.',
  'review-update.body.unknown-members': 'No check sends an unknown field.',
};

const all = [...defects, ...variants];
const requirements = new Map(loadRequirements().map((row) => [row.id, row]));
const checkIds = new Set(checks.map(({ id }) => id));

describe('the catalogue', () => {
  test('ids are unique', () => {
    const ids = all.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('every defect breaks a requirement of its side', () => {
    const wrong = defects.filter(({ breaks, side }) => requirements.get(breaks)?.side !== side);
    expect(wrong.map(({ id, breaks }) => `${id}: ${breaks}`)).toEqual([]);
  });

  test('every variant takes a freedom, or what a requirement permits', () => {
    const known = new Set([...loadFreedoms().map(({ id }) => id), ...requirements.keys()]);
    const wrong = variants.filter(({ takes }) => !known.has(takes));
    expect(wrong.map(({ id, takes }) => `${id}: ${takes}`)).toEqual([]);
  });

  test('every freedom that a target can use differently has a variant', () => {
    const taken = new Set(variants.map(({ takes }) => takes));
    const idle = loadFreedoms().filter(({ id }) => !taken.has(id));
    expect(idle.map(({ id }) => id).toSorted()).toEqual(Object.keys(INVISIBLE).toSorted());
  });

  test('every check that a variant silences exists', () => {
    const unknown = variants.flatMap(({ silences = [] }) => silences);
    expect(unknown.filter((id) => !checkIds.has(id))).toEqual([]);
  });

  test('every check has a defect of one of its requirements', () => {
    const broken = new Set(defects.map(({ breaks }) => breaks));
    const without = checks.filter(({ requirements: own }) => !own.some((id) => broken.has(id)));
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  test('every defect breaks a requirement that a check tests', () => {
    const tested = new Set(checks.flatMap(({ requirements: own }) => own));
    expect(defects.filter(({ breaks }) => !tested.has(breaks)).map(({ id }) => id)).toEqual([]);
  });
});

describe('the mixtures', () => {
  const mixtures = (['api', 'sender', 'receiver'] as const).flatMap((side) =>
    mixturesOf(side, variants),
  );

  test('have every variant', () => {
    const mixed = new Set(mixtures.flatMap(({ variants: parts }) => parts.map(({ id }) => id)));
    expect(variants.filter(({ id }) => !mixed.has(id)).map(({ id }) => id)).toEqual([]);
  });

  test('have most pairs of freedoms of a side', () => {
    const unmet = unmetPairs(variants, mixtures).length;
    expect(unmet).toBeLessThan(unmetPairs(variants, []).length / 2);
  });
});
