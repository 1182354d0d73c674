import { RUN_STATUSES } from '@hookproof/spec';
import type { RunStatus } from '@hookproof/spec';

import { area } from '../../check-kit/area.ts';
import type { Check, CheckContext } from '../../check-kit/check.ts';
import { runEvent } from '../../signing/run-event.ts';
import type { EventFacts } from '../../signing/run-event.ts';
import { expectAccepted, signed, uniqueName } from './deliver.ts';

const shapes = area('receiver.event', { access: 'read', needs: ['receiver'] });

type Shape = Partial<EventFacts> & { readonly what: string };

const INITIAL: readonly RunStatus[] = ['created', 'pending'];
/** Each status once as the previous and once as the current one, and two that occur again. */
const MOVES: readonly (readonly [RunStatus, RunStatus])[] = [
  ['created', 'pending'],
  ['pending', 'running'],
  ['running', 'waiting'],
  ['waiting', 'running'],
  ['running', 'pending'],
  ['running', 'finalizing'],
  ['finalizing', 'completed'],
  ['finalizing', 'failed'],
  ['waiting', 'cancelled'],
  ['pending', 'rejected'],
];
const OUTPUTS: readonly unknown[] = [{}, { total: 3 }, [], ['a', null], '', 'text', 0, true, null];
const HOURS = 3_600_000;

/** Test events of every form that the tables of the contract give them. */
export const receiverShapeChecks: readonly Check[] = [
  ...(['workflow', 'agent'] as const).map((runType) =>
    accepting({
      name: `${runType}-run`,
      requirements: ['receiver.event.every-status', 'receiver.valid.acknowledged'],
      title: `accepts events of ${runType} runs in every status`,
      shapes: () => [
        ...INITIAL.map((status) => ({ what: `run.created in ${status}`, runType, status })),
        ...RUN_STATUSES.filter((status) => status !== 'created').map((status) => ({
          what: `run.status_changed to ${status}`,
          runType,
          status,
          previousStatus: previousOf(status),
        })),
      ],
    }),
  ),
  accepting({
    name: 'moves',
    requirements: ['receiver.event.every-status'],
    title: 'accepts moves between statuses, and back to an earlier one',
    shapes: () =>
      MOVES.map(([previousStatus, status]) => ({
        what: `${previousStatus} to ${status}`,
        previousStatus,
        status,
      })),
  }),
  accepting({
    name: 'output',
    requirements: ['receiver.event.output'],
    title: 'accepts any JSON value as output',
    shapes: () => OUTPUTS.map((output) => ended(`output ${JSON.stringify(output)}`, { output })),
  }),
  accepting({
    name: 'output-omitted',
    requirements: ['receiver.event.output'],
    title: 'accepts an event whose output was omitted',
    shapes: () => [
      ended('outputOmitted true', { outputOmitted: true }),
      ended('outputOmitted false', { outputOmitted: false, output: 1 }),
      ended('neither output nor outputOmitted', {}),
    ],
  }),
  accepting({
    name: 'unusual-text',
    requirements: ['receiver.event.output', 'signature.raw-bytes'],
    title: 'accepts an output with characters beyond ASCII',
    shapes: () =>
      ['é', '€', '😀', 'e\u0301', '\u2028', '\uFEFF', '"\\\n\t'].map((text) =>
        ended(`output ${JSON.stringify(text)}`, { output: { [text]: text } }),
      ),
  }),
  accepting({
    name: 'trigger',
    requirements: ['receiver.valid.acknowledged'],
    title: 'accepts runs of every documented trigger',
    shapes: () =>
      ['api', 'manual', 'email', 'cron'].map((triggerType) => ({
        what: `trigger ${triggerType}`,
        run: { triggerType },
      })),
  }),
  accepting({
    name: 'late',
    requirements: ['receiver.event.late'],
    title: 'accepts a late attempt for an event of days ago',
    shapes: (context) =>
      [1, 25, 24 * 8].map((hours) => ({
        what: `an event of ${hours} h ago`,
        at: context.now() - hours * HOURS,
      })),
  }),
  accepting({
    name: 'unknown-members',
    requirements: ['receiver.event.unknown-members'],
    title: 'accepts an event with members and a trigger that the contract does not name',
    shapes: () => [
      { what: 'another member of the event', event: { sequence: 7 } },
      { what: 'another member of the run', run: { labels: ['a'] } },
      { what: 'another trigger', run: { triggerType: 'schedule' } },
    ],
  }),
];

function accepting({
  shapes: shapesOf,
  ...check
}: Pick<Check, 'requirements' | 'title'> & {
  readonly name: string;
  readonly shapes: (context: CheckContext) => readonly Shape[];
}): Check {
  return shapes.check({
    ...check,
    async run(context) {
      for (const [index, { what, ...facts }] of shapesOf(context).entries()) {
        const event = runEvent({
          name: uniqueName(context, `${check.name.replaceAll('-', '')}${index}`),
          test: true,
          status: 'pending',
          at: context.now(),
          ...facts,
        });
        await expectAccepted(context, signed(context, event), what);
      }
    },
  });
}

function ended(what: string, run: object): Shape {
  return { what, previousStatus: 'finalizing', status: 'completed', run };
}

/** A status from which a run can come. */
function previousOf(status: RunStatus): RunStatus {
  return MOVES.find(([, current]) => current === status)?.[0] ?? 'running';
}
