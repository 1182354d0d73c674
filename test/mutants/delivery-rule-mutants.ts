import type { RuleMutant } from './rule-mutant.ts';

const SENDING = 'server-reference/dist/platform/sender/sender.js';
const SETTLE = 'server-reference/dist/platform/sender/settle.js';
const MAKE = 'server-reference/dist/platform/sender/make-attempt.js';
const PAYLOAD = 'server-reference/dist/platform/runs/events.js';
const EMIT = 'server-reference/dist/platform/runs/events.js';
const TEST_EVENT = 'server-reference/dist/platform/runs/events.js';

/** What outlives a restart, what a redelivery does, and which events there are for whom. */
export const deliveryRuleMutants: readonly RuleMutant[] = [
  {
    id: 'new-deliveries-forgotten',
    defect: 'After a start only those deliveries go on that have been tried before.',
    file: SENDING,
    find: "if (delivery.status === 'pending')\n            schedule(delivery);",
    replace:
      "if (delivery.status === 'pending' && delivery.attempts.length > 0)\n            schedule(delivery);",
    breaks: ['restart.killed', 'restart.stopped'],
  },
  {
    id: 'retries-forgotten',
    defect: 'After a start only those deliveries go on that have never been tried.',
    file: SENDING,
    find: "if (delivery.status === 'pending')\n            schedule(delivery);",
    replace:
      "if (delivery.status === 'pending' && delivery.attempts.length === 0)\n            schedule(delivery);",
    breaks: ['restart.planned', 'target.when-sent'],
  },
  {
    id: 'cut-off-recorded',
    defect: 'What an orderly stop cuts off is recorded as a failed attempt.',
    file: MAKE,
    find: 'if (!options.isClosed())',
    replace: 'if (true)',
    breaks: ['restart.planned', 'restart.stopped'],
  },
  {
    id: 'redelivery-not-kept',
    defect: 'Which attempt was asked for is forgotten over a restart.',
    file: SETTLE,
    find: 'delivery.manualRequests.push({ askedAt: isoTime(now) });',
    replace:
      "Object.defineProperty(delivery, 'manualRequests', { value: [...delivery.manualRequests, { askedAt: isoTime(now) }], writable: true, configurable: true, enumerable: false });",
    breaks: ['restart.planned'],
  },
  {
    id: 'redelivery-beside-the-automatic-try',
    defect: 'The automatic try is made at its time although a redelivery took its place.',
    file: SENDING,
    find: 'return Date.parse(nextAttemptAt) <= clock.now();',
    replace: 'return true;',
    breaks: ['redelivery.plans-anew'],
  },
  {
    id: 'automatic-try-after-success',
    defect: 'A redelivery that succeeds leaves the automatic try to be made.',
    file: SETTLE,
    find: "close(delivery, 'delivered', null);",
    replace:
      "const planned = delivery.attempts.at(-2);\n        close(delivery, 'delivered', null);\n        if (request !== undefined && planned?.status === 503) {\n            delivery.status = 'pending';\n            delivery.nextAttemptAt = isoTime(finishedAt + 1_000);\n        }",
    breaks: ['redelivery.any-state', 'redelivery.cancels-the-automatic-try'],
  },
  {
    id: 'redelivery-of-ended-only',
    defect: 'A delivery that was delivered is not made again.',
    file: SETTLE,
    find: 'delivery.manualRequests.push({',
    replace:
      "if (delivery.status === 'delivered')\n        return;\n    delivery.manualRequests.push({",
    breaks: [
      'pathology.redelivery-too',
      'redelivery.any-state',
      'redelivery.each-asked',
      'restart.planned',
    ],
  },
  {
    id: 'redelivery-dated-back',
    defect: 'A redelivery has the timestamp of the first attempt.',
    file: MAKE,
    find: 'Math.floor(startedAt / 1000)',
    replace:
      'request !== undefined && delivery.attempts.length > 0 ? delivery.attempts[0].webhookTimestamp : Math.floor(startedAt / 1000)',
    breaks: ['redelivery.fresh-timestamp'],
  },
  {
    id: 'redelivery-counted',
    defect: 'Redeliveries count against the attempts of the profile.',
    file: SETTLE,
    find: "const automatic = countOf(delivery, 'automatic');",
    replace: 'const automatic = delivery.attempts.length;',
    breaks: ['redelivery.not-counted'],
  },
  {
    id: 'redelivery-renews-the-attempts',
    defect: 'A redelivery gives all attempts of the profile anew.',
    file: SETTLE,
    find: "const automatic = countOf(delivery, 'automatic');",
    replace:
      "const automatic = delivery.attempts.length - 1 - delivery.attempts.findLastIndex(({ trigger }) => trigger === 'manual');",
    breaks: ['redelivery.not-counted', 'redelivery.of-exhausted'],
  },
  {
    id: 'redelivery-during-an-attempt-lost',
    defect: 'The end of an attempt ends the redeliveries that were asked for meanwhile.',
    file: SETTLE,
    find: 'delivery.manualRequests.filter((asked) => asked !== request)',
    replace: '[]',
    breaks: ['redelivery.each-asked', 'redelivery.waits-its-turn'],
  },
  {
    id: 'redelivery-at-the-same-time',
    defect: 'A redelivery does not wait for the end of an attempt.',
    file: SENDING,
    find: ' || underWay.has(id))',
    replace: ')',
    breaks: ['redelivery.each-asked', 'redelivery.waits-its-turn', 'silence.manual'],
  },
  {
    id: 'every-move-twice',
    defect: 'Each move of a run has two events.',
    file: 'server-reference/dist/platform/runs/change-run.js',
    find: 'const deliveries = emitRunEvent(state, now, run, previousStatus)',
    replace:
      'emitRunEvent(state, now, run, previousStatus);\n    const deliveries = emitRunEvent(state, now, run, previousStatus)',
    breaks: ['clock.course', 'event.one-for-each-move', 'pathology.run-only', 'reorder.run'],
  },
  {
    id: 'event-of-a-refused-move',
    defect: 'A move that is refused has an event all the same.',
    file: 'server-reference/dist/platform/runs/change-run.js',
    find: 'throw new RunTransitionError(',
    replace:
      'emitRunEvent(state, now, run, previousStatus);\n        throw new RunTransitionError(',
    breaks: ['event.refused-move'],
  },
  {
    id: 'events-for-everybody',
    defect: 'Every endpoint gets the events of every tenant.',
    file: EMIT,
    find: '?.tenantId === tenantId;',
    replace: '?.tenantId !== undefined;',
    breaks: ['event.neighbour', 'event.other-world'],
  },
  {
    id: 'events-of-the-neighbour',
    defect: 'An endpoint gets the events of the neighbour as well.',
    file: EMIT,
    find: 'function belongsTo(state, { worldId }, { tenantId }) {',
    replace:
      'function belongsTo(state, { worldId }, { tenantId, worldId: ofRun }) {\n    if (worldId === ofRun)\n        return true;',
    breaks: ['event.neighbour'],
  },
  {
    id: 'first-endpoint-only',
    defect: 'Only the first endpoint of a tenant gets its events.',
    file: EMIT,
    find: '.map((endpoint) => newDelivery(',
    replace: '.slice(0, 1)\n        .map((endpoint) => newDelivery(',
    breaks: ['crowd.all', 'event.each-endpoint', 'pathology.endpoint-only', 'restart.planned'],
  },
  {
    id: 'secret-of-another-endpoint',
    defect: 'Deliveries are signed with the secret of the first endpoint of the world.',
    file: MAKE,
    find: 'deliveryHeaders(message, endpoint.secret,',
    replace:
      'deliveryHeaders(message, Object.values(options.store.state.webhookEndpoints).find((one) => one.worldId === endpoint.worldId).secret,',
    breaks: ['event.each-endpoint'],
  },
  {
    id: 'payload-shown-anew',
    defect: 'The payload of an event is shown as its JSON written anew, with blanks.',
    file: 'server-reference/dist/lab/control/deliveries.js',
    find: '.filter((event) => type === undefined || event.type === type);',
    replace:
      '.filter((event) => type === undefined || event.type === type)\n                .map((event) => ({ ...event, payload: JSON.stringify(JSON.parse(event.payload), null, 1) }));',
    breaks: ['event.limit', 'event.limit-in-bytes', 'event.shown'],
  },
  {
    id: 'payload-of-the-present',
    defect: 'A further try shows the run as it has become.',
    file: MAKE,
    find: 'const payload = Buffer.from(event.payload);',
    replace:
      'const payload = Buffer.from(delivery.type === "run.created" && delivery.runId !== null ? event.payload.replace(/"status":"[a-z]+"/, `"status":"${options.store.state.runs[delivery.runId].status}"`) : event.payload);',
    breaks: ['event.fixed'],
  },
  {
    id: 'payload-limit-excluded',
    defect: 'A body of just the limit has no output.',
    file: PAYLOAD,
    find: '<= PAYLOAD_LIMIT_BYTES',
    replace: '< PAYLOAD_LIMIT_BYTES',
    breaks: ['event.limit', 'event.limit-in-bytes'],
  },
  {
    id: 'payload-limit-in-characters',
    defect: 'The limit of a body counts characters.',
    file: PAYLOAD,
    find: 'Buffer.byteLength(whole)',
    replace: 'whole.length',
    breaks: ['event.limit-in-bytes'],
  },
  {
    id: 'omitted-everywhere',
    defect: 'An output that was omitted from an event is omitted by the API as well.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: '...(run.output === undefined ?',
    replace: '...(run.output === undefined || JSON.stringify(run.output).length > 262_144 ?',
    breaks: ['event.output-readable'],
  },
  {
    id: 'test-event-for-all',
    defect: 'A test event goes to all endpoints of the world.',
    file: TEST_EVENT,
    find: 'return newDelivery(',
    replace:
      'for (const other of Object.values(state.webhookEndpoints))\n        if (other !== endpoint && other.worldId === endpoint.worldId)\n            newDelivery(state, event, other);\n    return newDelivery(',
    breaks: ['event.test-alone', 'reorder.one-endpoint', 'silence.held'],
  },
  {
    id: 'test-event-tells-its-run',
    defect: 'The event of a test is listed under its invented run.',
    file: TEST_EVENT,
    find: 'runId: null,',
    replace: 'get runId() {\n            return JSON.parse(this.payload).data.run.id;\n        },',
    breaks: ['event.test-run-unknown'],
  },
  {
    id: 'test-event-of-a-fixture',
    defect: 'The run of a test event is one of the fixtures.',
    file: TEST_EVENT,
    find: "id: nextId(state, 'run_'),",
    replace: 'id: Object.values(state.runs).find((run) => run.worldId === endpoint.worldId).id,',
    breaks: ['event.test-run-unknown'],
  },
  {
    id: 'test-event-of-an-automation',
    defect: 'The automation of a test event is one of the fixtures.',
    file: TEST_EVENT,
    find: "automationId: nextId(state, 'wf_'),",
    replace: 'automationId: state.worlds[endpoint.worldId].fixtures.workflowId,',
    breaks: ['event.test-automation-unknown'],
  },
];
