import { RUN_STATUSES } from '@hookproof/spec';
import { isDeepStrictEqual } from 'node:util';

import type { Check } from '../../check-kit/check.ts';
import { contractFaults } from '../../check-kit/schema.ts';
import { isTerminal, runOf } from '../../listener/delivery.ts';
import { about } from './arrivals.ts';
import { isIso8601 } from './iso-8601.ts';
import { deliveryCheck, runsCheck } from './sender-check.ts';

const PREFIXES: Readonly<Record<string, string>> = { workflow: 'wf_', agent: 'agent_' };

/** Valid values of the members whose text other checks judge. */
const JUDGED_ELSEWHERE = { automationId: 'wf_', status: 'pending' };

/** The run in every event. */
export const senderRunChecks: readonly Check[] = [
  deliveryCheck({
    name: 'run.schema',
    requirements: ['webhook-run.fields', 'webhook-run.completed-at'],
    title: 'the run in an event has the documented members and types',
    judge(delivery, _scene, expect) {
      const run = runOf(delivery.event);
      const elsewhere = Object.entries(JUDGED_ELSEWHERE).filter(
        ([name]) => typeof run[name] === 'string',
      );
      const judged = { ...run, ...Object.fromEntries(elsewhere) };
      const faults = contractFaults('RunSnapshot', judged, 'a run');
      expect(delivery, faults === null, 'the documented members of a run', faults);
    },
  }),
  deliveryCheck({
    name: 'run.automation-id-prefix',
    requirements: ['webhook-run.automation-id'],
    title: 'automationId starts with wf_ or agent_',
    judge(delivery, _scene, expect) {
      const { automationId } = runOf(delivery.event);
      const fits = Object.values(PREFIXES).some((prefix) =>
        String(automationId).startsWith(prefix),
      );
      expect(delivery, fits, 'an id that starts with wf_ or agent_', automationId);
    },
  }),
  deliveryCheck({
    name: 'run.type-agrees',
    requirements: ['webhook-run.type-agrees', 'webhook-run.automation-id'],
    title: 'the type of a run agrees with the prefix of its automationId',
    judge(delivery, _scene, expect) {
      const { type, automationId } = runOf(delivery.event);
      const prefix = PREFIXES[String(type)];
      const others = Object.values(PREFIXES).filter((one) => one !== prefix);
      const contradicts =
        prefix !== undefined && others.some((one) => String(automationId).startsWith(one));
      const actual = { type, automationId };
      expect(delivery, !contradicts, `an automationId that fits the type ${String(type)}`, actual);
    },
  }),
  runsCheck({
    name: 'run.identity',
    requirements: ['webhook-run.identity'],
    title: 'automationId, type and triggerType are those of the run',
    needs: ['driver', 'control'],
    judge({ deliveries, runs }, expect) {
      for (const { run } of runs) {
        for (const delivery of about(deliveries, run)) {
          for (const name of ['automationId', 'type', 'triggerType'] as const) {
            const sent = runOf(delivery.event)[name];
            const known = run[name];
            const differs = typeof known === 'string' && typeof sent === 'string' && sent !== known;
            expect(delivery, !differs, `${name} ${String(known)}`, sent);
          }
        }
      }
    },
  }),
  deliveryCheck({
    name: 'run.created-at',
    requirements: ['webhook-run.created-at'],
    title: 'createdAt of a run is an ISO 8601 time',
    judge(delivery, _scene, expect) {
      const { createdAt } = runOf(delivery.event);
      expect(delivery, isIso8601(createdAt), 'an ISO 8601 time', createdAt);
    },
  }),
  runsCheck({
    name: 'run.created-at-same',
    requirements: ['webhook-run.created-at'],
    title: 'createdAt of a run is the same in each of its events',
    judge({ deliveries, runs }, expect) {
      for (const { run } of runs) {
        const [first, ...others] = about(deliveries, run);
        for (const other of first === undefined ? [] : others) {
          const [before, again] = [first, other].map((one) => runOf(one?.event ?? {})['createdAt']);
          expect(other, areSameTime(before, again), `createdAt ${String(before)}`, again);
        }
      }
    },
  }),
  deliveryCheck({
    name: 'run.status-values',
    requirements: ['states.run.values'],
    title: 'the status of a run is one of the nine documented ones',
    judge(delivery, _scene, expect) {
      const { status } = runOf(delivery.event);
      const isKnown = RUN_STATUSES.some((one) => one === status);
      expect(delivery, isKnown, RUN_STATUSES.join(', '), status);
    },
  }),
  deliveryCheck({
    name: 'run.completed-at',
    requirements: ['webhook-run.completed-at'],
    title: 'completedAt is set in the terminal statuses',
    judge(delivery, _scene, expect) {
      const { status, completedAt } = runOf(delivery.event);
      const fits = !isTerminal(status) || typeof completedAt === 'string';
      expect(
        delivery,
        fits,
        `a time as completedAt of a run that is ${String(status)}`,
        completedAt,
      );
    },
  }),
  runsCheck({
    name: 'run.output-value',
    requirements: ['webhook-run.output-value', 'webhook-run.output-omitted'],
    title: 'the output in an event is the whole output of its run',
    judge({ deliveries, runs, large: [large] }, expect) {
      for (const { run, wanted } of [...runs, ...(large === undefined ? [] : [large])]) {
        for (const delivery of wanted.output === undefined ? [] : about(deliveries, run)) {
          const { output = null } = runOf(delivery.event);
          const fits = output === null || isDeepStrictEqual(output, wanted.output);
          expect(delivery, fits, 'the output that the run was given, or none', output);
        }
      }
    },
  }),
];

/** Whether two times are the same, however they are written: some writers leave out the fraction. */
function areSameTime(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((time) => Date.parse(String(time)));
  if (first === undefined || second === undefined) return false;
  if (Number.isNaN(first) || Number.isNaN(second)) return one === other;
  return Math.abs(first - second) < 1_000;
}
