import { REVIEW_STATUSES, RUN_STATUSES } from '@hookproof/spec';
import { expect, test } from 'vitest';

import { seeded } from './seeded.ts';

const { state, world } = seeded();

/** The records of the first tenant. */
function own<T extends { tenantId: string }>(records: Record<string, T>): T[] {
  return Object.values(records).filter(({ tenantId }) => tenantId === world.tenantId);
}

function kinds<T>(values: readonly T[]): T[] {
  return [...new Set(values)].toSorted((one, other) => (String(one) < String(other) ? -1 : 1));
}

test('runs: every status, origin and usual trigger, over several automations', () => {
  const runs = own(state.runs);
  expect(kinds(runs.map(({ status }) => status))).toEqual([...RUN_STATUSES].toSorted());
  const origins = runs.map(({ origin }) => origin);
  expect(kinds(origins)).toEqual(['evaluation', 'invoke-workflow', 'top-level']);
  const triggers = runs.map(({ triggerType }) => triggerType);
  expect(kinds(triggers)).toEqual(['api', 'cron', 'email', 'manual']);
  expect(kinds(runs.map(({ type }) => type))).toEqual(['agent', 'workflow']);
  expect(kinds(runs.map(({ automationId }) => automationId)).length).toBeGreaterThan(5);
});

test('review requests: every status, every status of items, and of several automations', () => {
  const reviews = own(state.reviewRequests);
  expect(reviews).toHaveLength(13);
  expect(kinds(reviews.map(({ status }) => status))).toEqual([...REVIEW_STATUSES].toSorted());
  const items = reviews.flatMap((review) => review.items);
  const statuses = ['approved', 'edited', 'pending', 'removed'];
  expect(kinds(items.map(({ status }) => status))).toEqual(statuses);
  expect(kinds(reviews.map(({ automationId }) => automationId))).toHaveLength(3);
  expect(reviews.some(({ createdBy }) => createdBy === null)).toBe(true);
});

test('reviews of runs: open and closed, with and without corrections', () => {
  const reviews = Object.values(state.runReviews).flatMap(({ review }) => review ?? []);
  expect(kinds(reviews.map(({ status }) => status))).toEqual(['closed', 'open']);
  const verdicts = kinds(reviews.map(({ verdict }) => verdict));
  expect(verdicts).toEqual(['correct', 'incorrect']);
  expect(kinds(reviews.map(({ corrections }) => corrections?.length === 0))).toEqual([false, true]);
});

test('datasets of workflows and of an agent, with files in folders and without labels', () => {
  const owners = kinds(own(state.examples).map(({ automationId }) => automationId));
  expect(owners).toHaveLength(3);
  expect(kinds(owners.map((id) => state.automations[id]?.type))).toEqual(['agent', 'workflow']);
  const examples = own(state.examples);
  expect(examples.some(({ input }) => input.some(({ path }) => path.includes('/')))).toBe(true);
  expect(examples.some(({ expected }) => expected.length === 0)).toBe(true);
  expect(own(state.experiments).length).toBeGreaterThan(2);
});

function pathOf(folderId: string | null): string | null {
  if (folderId === null) return null;
  const { name, parentId } = state.folders[folderId] ?? expect.unreachable(folderId);
  const parent = pathOf(parentId);
  return parent === null ? name : `${parent}/${name}`;
}

test('automations of both types, in folders and outside, with and without implementation', () => {
  const automations = own(state.automations);
  const paths = automations.map(({ folderId }) => pathOf(folderId));
  expect(paths).toContain(null);
  expect(paths).toContain('Claims/Inbound mail/Transport damage');
  expect(automations.some((row) => !row.implementationAvailable)).toBe(true);
  expect(own(state.agents).filter(({ archived }) => archived)).toHaveLength(1);
});

test('files of every purpose, and a completed upload', () => {
  const purposes = own(state.files).map(({ purpose }) => String(purpose));
  expect(kinds(purposes)).toEqual(['builder-attachment', 'null', 'run-input']);
  expect(own(state.uploads).some(({ fileId }) => fileId !== null)).toBe(true);
});
