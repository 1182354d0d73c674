import type { CauseTable } from './diagnosis.ts';

const RETRY = [
  'The sender treats this outcome of an attempt as final.',
  'Schedule another attempt after 408, 425, 429, every 5xx, a network failure and a timeout.',
] as const;
const HEADERS = [
  'The header is not set, has another form, or is replaced by the HTTP client.',
  'Set it for each attempt, as late as possible, and compare it with what arrives.',
] as const;
const RUN = [
  'The run of the event is serialized from another model than the API’s.',
  'Use the serializer of the documented run; the message names the members that differ.',
] as const;

/** Likely causes on the sender side. */
export const SENDER_CAUSES: CauseTable = {
  signature: [
    'The signature is computed over re-serialized JSON, over another id or timestamp than the headers, or with another key.',
    'Serialize the event once, sign <webhook-id>.<webhook-timestamp>.<these bytes>, and send the same bytes.',
  ],
  'signature.secret': [
    'The secret of a new endpoint is generated without its prefix.',
    'Generate whsec_ followed by random characters.',
  ],
  versioning: [
    'apiVersion of the event is missing or the version of the software.',
    'Send the documented version of the webhook format, 2026-07-01.',
  ],
  'webhook-header': HEADERS,
  'webhook-header.id': [
    'webhook-id is made for each attempt, or differs from the id in the body.',
    'Make the id with the event, store it, and send it with every attempt.',
  ],
  'webhook-header.timestamp': [
    'The timestamp is in milliseconds, or is that of the event instead of the attempt.',
    'Send the Unix time of signing in whole seconds, taken again for each attempt.',
  ],
  'webhook-header.signature': [
    'The signature is in base64, without v1, or of another length.',
    'Send v1, followed by the 64 hex digits of the HMAC-SHA256.',
  ],
  'webhook-header.post': [
    'The sender uses another method, or follows a redirect with GET.',
    'Send every delivery as a POST.',
  ],
  'webhook-header.content-type': [
    'The HTTP client sets its own content-type, for example for text.',
    'Set content-type to application/json.',
  ],
  'webhook-header.custom': [
    'The headers of the endpoint are not added to this kind of delivery or attempt.',
    'Add the configured headers where the request is built, for first attempts, retries and tests alike.',
  ],
  'webhook-envelope': [
    'The envelope of the event lacks a member or has another type.',
    'Send id, type, apiVersion, createdAt, test and data as documented.',
  ],
  'webhook-envelope.id': [
    'The id of an event is not made once per event, or not unique.',
    'Make one id with whev_ for each event, under a unique constraint.',
  ],
  'webhook-envelope.test': [
    'The flag test is fixed, or set by the environment instead of the event.',
    'Set test to true for events of Send test, and to false for events of runs.',
  ],
  'webhook-run': RUN,
  'webhook-run.completed-at': [
    'completedAt is not set in each terminal status, or set before.',
    'Set completedAt with the change to completed, failed, cancelled or rejected.',
  ],
  'webhook-run.output-omitted': [
    'A large output is cut or dropped without a mark.',
    'Send the whole output, or omit it and set outputOmitted to true.',
  ],
  'webhook-run.automation-id': [
    'automationId is the internal key of the workflow or agent.',
    'Send the public id, with wf_ or agent_.',
  ],
  'webhook-event': [
    'No event is written for this change, or it is written from the current run.',
    'Write the event in the transaction of the change, with a copy of the run at that moment.',
  ],
  'webhook-event.created': [
    'run.created is not written on creation, or is built when it is sent.',
    'Write it in the transaction that creates the run, with the run as it is then.',
  ],
  'webhook-event.status-changed': [
    'Some changes of status bypass the place that writes the event, or quick changes are merged.',
    'Write one event in the function that changes the status, with previousStatus and currentStatus.',
  ],
  'webhook-event.invoked-run': [
    'Events are written for every run, whatever started it.',
    'Write no event for a run that a workflow invokes.',
  ],
  'webhook-event.evaluation-run': [
    'Events are written for every run, whatever started it.',
    'Write no event for a run of an evaluation.',
  ],
  'webhook-event.test': [
    'Send test uses the path of real events and leaves test at false.',
    'Set test to true in the event of Send test.',
  ],
  states: [
    'The run leaves a terminal status, or a change of status has no event.',
    'Let one function change the status: it refuses to leave a terminal one, and writes the event.',
  ],
  'delivery.endpoint': [
    'The endpoints of an event are not read again when it is delivered.',
    'Before each attempt, look whether the endpoint still exists and is enabled.',
  ],
  'delivery.asynchronous': [
    'The request that changes the run waits for the delivery.',
    'Write the event to a queue or an outbox, and deliver it in the background.',
  ],
  'delivery.retry': RETRY,
  'delivery.retry.timeout': [
    'The sender has no time limit, or treats a timeout as final.',
    'End an attempt that gets no response in time, and schedule another one.',
  ],
  'delivery.retry.same-payload': [
    'The body is serialized again for each attempt, from the current run.',
    'Store the bytes of the event with it, and send these bytes with every attempt.',
  ],
  'delivery.retry.signed-afresh': [
    'The headers of the first attempt are sent again, or the timestamp is new and the signature is not.',
    'Take the time and compute the signature for each attempt.',
  ],
  'delivery.retry-after': [
    'The schedule ignores Retry-After.',
    'Take the later of the schedule and Retry-After.',
  ],
  'delivery.end': [
    'Every response that is not a 2xx is retried.',
    'End delivery after every 4xx but 408, 425 and 429.',
  ],
  'delivery.success': [
    'Only 200 counts as success.',
    'End delivery after every status from 200 to 299.',
  ],
  'delivery.redelivery': [
    'A manual redelivery makes a new event, or builds its body again.',
    'Send the stored id and bytes again, with a new timestamp and signature.',
  ],
  'delivery.duplicates': [
    'One event is delivered again with another id.',
    'Keep the id of the event over all its deliveries.',
  ],
  'delivery.at-least-once': RETRY,
};
