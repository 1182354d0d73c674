import type { RuleMutant } from './rule-mutant.ts';

const PATHOLOGIES = 'server-reference/dist/pathologies';
const SENDER = 'server-reference/dist/sender';
const PLAN = `${PATHOLOGIES}/pathology-plan.js`;
const PATHOLOGY = `${PATHOLOGIES}/pathology.js`;
const HELD = `${PATHOLOGIES}/held-deliveries.js`;
const SENDING = `${SENDER}/sender.js`;
const SETTLE = `${SENDER}/settle-attempt.js`;
const RUN_CREATION = 'server-reference/dist/control/run-creation.js';

/** Which deliveries a pathology strikes, and in which order `reorder` sends them. */
export const pathologyScopeRuleMutants: readonly RuleMutant[] = [
  {
    id: 'struck-is-forgiven',
    defect: 'A struck attempt that is refused is tried again.',
    file: SETTLE,
    find: 'const decision = retryDecision(result.outcome);',
    replace:
      "const judged = retryDecision(result.outcome);\n    const decision = attempt.pathology !== null && judged.kind === 'end' ? { kind: 'retry' } : judged;",
    breaks: ['pathology.judged-alike'],
  },
  {
    id: 'strikes-one-more',
    defect: 'A pathology strikes one delivery more than it is told.',
    file: PATHOLOGY,
    find: 'hits < deliveries',
    replace: 'hits <= deliveries',
    breaks: [
      'clock.by-due-time',
      'pathology.in-order',
      'pathology.next-n',
      'pathology.spent',
      'pathology.told',
      'reorder.last-first',
      'reorder.one-endpoint',
    ],
  },
  {
    id: 'strikes-any-endpoint',
    defect: 'A pathology strikes deliveries to any endpoint.',
    file: PATHOLOGY,
    find: '(endpointId === undefined || endpointId === target.endpointId)',
    replace: 'true',
    breaks: ['pathology.endpoint-only', 'reorder.one-endpoint'],
  },
  {
    id: 'strikes-any-run',
    defect: 'A pathology strikes deliveries of any run.',
    file: PATHOLOGY,
    find: '(runId === undefined || runId === target.runId)',
    replace: 'true',
    breaks: ['pathology.in-order', 'pathology.run-only', 'reorder.one-endpoint'],
  },
  {
    id: 'strikes-one-of-a-run',
    defect: 'A pathology for a run strikes one of its deliveries.',
    file: PATHOLOGY,
    find: 'deliveries === undefined || hits',
    replace: '(deliveries === undefined && hits < 1) || hits',
    breaks: ['pathology.run-only', 'reorder.run'],
  },
  {
    id: 'planted-after-the-first-event',
    defect: 'The pathologies of a run are planted after its first event has gone out.',
    file: RUN_CREATION,
    find: 'services.pathologies.plant({ ...order, runId: change.run.id }, now);',
    replace:
      'setTimeout(() => services.pathologies.plant({ ...order, runId: change.run.id }, now));',
    breaks: ['pathology.from-the-first-event', 'reorder.run'],
  },
  {
    id: 'last-planted-strikes',
    defect: 'Of several pathologies that match the last one strikes.',
    file: PLAN,
    find: 'for (const entry of entries.values()) {',
    replace: 'for (const entry of [...entries.values()].reverse()) {',
    breaks: ['pathology.in-order'],
  },
  {
    id: 'strikes-again',
    defect: 'A pathology strikes the same delivery again.',
    file: PLAN,
    find: ' && !struck.has(delivery)',
    replace: '',
    breaks: ['pathology.once'],
  },
  {
    id: 'redeliveries-spared',
    defect: 'No pathology strikes an attempt that somebody asked for.',
    file: PLAN,
    find: 'if (!strikes(entry, delivery))',
    replace: 'if (delivery.manualRequests.length > 0 || !strikes(entry, delivery))',
    breaks: ['pathology.redelivery-too'],
  },
  {
    id: 'hits-not-told',
    defect: 'Of the deliveries that it struck a pathology tells the last one.',
    file: PLAN,
    find: '.slice(-STRUCK_TOLD)',
    replace: '.slice(-1)',
    breaks: ['pathology.told'],
  },
  {
    id: 'removal-of-all-pathologies',
    defect: 'Removing one pathology removes all.',
    file: PLAN,
    find: 'entries.delete(id)',
    replace: '(entries.delete(id) && (entries.clear(), true))',
    breaks: ['pathology.removed'],
  },
  {
    id: 'clearing-leaves-one-pathology',
    defect: 'Removing all pathologies leaves the last when there are two.',
    file: PLAN,
    find: 'entries.clear();',
    replace: 'entries.size === 2 ? entries.delete([...entries.keys()][0]) : entries.clear();',
    breaks: ['pathology.cleared'],
  },
  {
    id: 'room-for-many-pathologies',
    defect: 'There is room for a thousand pathologies.',
    file: PLAN,
    find: 'MOST_PATHOLOGIES = 100',
    replace: 'MOST_PATHOLOGIES = 1_000',
    breaks: ['pathology.full', 'pathology.spent'],
  },
  {
    id: 'spent-pathologies-keep-their-place',
    defect: 'A pathology that is spent keeps its place until it is removed.',
    file: PLAN,
    find: '.filter((one) => !isSpent(one))',
    replace: '',
    breaks: ['pathology.spent'],
  },
  {
    id: 'run-without-room',
    defect: 'A run whose pathologies find no room is created without them.',
    file: RUN_CREATION,
    find: 'refuseTooMany(services.pathologies, pathologies.length);',
    replace:
      'if (!services.pathologies.hasRoomFor(pathologies.length))\n            pathologies.length = 0;',
    breaks: ['pathology.full'],
  },
  {
    id: 'other-defaults',
    defect: 'stale-timestamp dates back by five minutes unless it is told otherwise.',
    file: PATHOLOGY,
    find: "'stale-timestamp': { seconds: 600 }",
    replace: "'stale-timestamp': { seconds: 300 }",
    breaks: ['pathology.defaults'],
  },
  {
    id: 'reorder-in-order',
    defect: 'reorder sends what it has gathered first first.',
    file: HELD,
    find: 'for (let last = group.members.pop(); last !== undefined; last = group.members.pop()) {',
    replace:
      'for (let last = group.members.shift(); last !== undefined; last = group.members.shift()) {',
    breaks: [
      'reorder.gathers',
      'reorder.last-first',
      'reorder.no-longer-than',
      'reorder.one-endpoint',
      'reorder.run',
    ],
  },
  {
    id: 'reorder-all-at-once',
    defect: 'reorder does not wait for the answer before it sends the next.',
    file: HELD,
    find: 'this.#options.putOff(last, this.#options.clock.now());\n            return;',
    replace:
      'this.#options.putOff(last, this.#options.clock.now());\n            this.#holds.delete(last);',
    breaks: ['reorder.last-first', 'reorder.no-longer-than'],
  },
  {
    id: 'reorder-gathers-one-less',
    defect: 'reorder sends as soon as one is missing.',
    file: HELD,
    find: 'if (!hasRoom(planted, planted.hits))',
    replace: 'if (!hasRoom(planted, planted.hits + 1))',
    breaks: [
      'reorder.asked-for',
      'reorder.gathers',
      'reorder.last-first',
      'reorder.one-endpoint',
      'silence.held',
    ],
  },
  {
    id: 'reorder-waits-longer',
    defect: 'reorder holds what it has gathered twice as long.',
    file: HELD,
    find: 'const { holdMilliseconds } = planted;',
    replace: 'const holdMilliseconds = 2 * planted.holdMilliseconds;',
    breaks: ['reorder.no-longer-than'],
  },
  {
    id: 'reorder-of-a-run-by-time',
    defect: 'reorder for a run waits for its time, also when the run is terminal.',
    file: SENDING,
    find: 'if (runId === undefined)',
    replace: 'if (true)',
    breaks: ['reorder.run'],
  },
  {
    id: 'reorder-before-the-end',
    defect: 'reorder for a run does not wait until the run is terminal.',
    file: SENDING,
    find: 'if (run !== undefined && !isTerminal(run.status))',
    replace: 'if (false)',
    breaks: ['reorder.run'],
  },
  {
    id: 'reorder-over-endpoints',
    defect: 'reorder gathers deliveries to different endpoints.',
    file: PLAN,
    find: "planted.name === 'reorder' && anywhere",
    replace: 'false && anywhere',
    breaks: ['reorder.one-endpoint'],
  },
  {
    id: 'reorder-holds-redeliveries',
    defect: 'reorder holds back also what somebody asks for.',
    file: HELD,
    find: 'if (!wasAskedFor && hold.group !== null &&',
    replace: 'if (hold.group !== null &&',
    breaks: ['reorder.asked-for'],
  },
];
