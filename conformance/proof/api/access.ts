import { headerValue } from '@hookproof/conformance/hooks';
import type { Incoming, Outgoing } from '@hookproof/conformance/hooks';

import { isByAlias, onCall, onRequest, segment } from '../kit/api.ts';
import type { Call } from '../kit/api.ts';
import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { refuse, respond, withKey } from '../kit/message.ts';

/** A caller whom an operation should refuse, or should not. */
type Caller = (call: Call) => boolean;

const withoutKey: Caller = ({ key }) => key === undefined;
const withUnknownKey: Caller = ({ key, ring }) => key !== undefined && ring === undefined;
const withOcrKey: Caller = ({ key, ring }) => key !== undefined && key === ring?.['ocr'];
const withWildcardKey: Caller = ({ key, ring }) => key !== undefined && key === ring?.['wildcard'];
const fromOtherTenant: Caller = ({ key, ring }) =>
  key !== undefined && key === ring?.['otherTenant'];
/** A key that differs from a known one only as said. */
const withNearKey =
  (isNear: (key: string, known: string) => boolean): Caller =>
  ({ key, ring, knowledge }) =>
    key !== undefined && ring === undefined && knowledge.keys.some((known) => isNear(key, known));
const withTail = withNearKey((key, known) => key.length > known.length && key.startsWith(known));
const withHalf = withNearKey(
  (key, known) =>
    key.length === known.length &&
    key.slice(0, known.length / 2) === known.slice(0, known.length / 2),
);
const withAuthorization =
  (form: RegExp): Caller =>
  ({ request }) =>
    form.test(headerValue(request.headers, 'authorization') ?? '');
const hasId: Caller = ({ operation }) => operation.path.includes('{');
const isFiltered: Caller = ({ request }) => /[?&](status|slug)=/.test(request.url);
const isRead: Caller = ({ request }) => request.method === 'GET';
const writes: Caller = ({ request }) => request.method === 'PATCH' || request.method === 'POST';

const ISOLATION = 'auth.tenant.isolation';

/** Operations that admit or refuse the wrong callers. */
export const accessDefects: readonly Defect[] = [
  defect({
    id: 'missing-key-admitted',
    breaks: 'auth.key-required',
    does: 'No operation requires a key.',
    api: onCall('every', instead(withoutKey, admit)),
  }),
  defect({
    id: 'missing-key-gets-403',
    breaks: 'auth.key-required',
    does: 'A request without a key gets 403.',
    api: onRequest('every', (request, call) => (withoutKey(call) ? refuse(403) : request)),
  }),
  defect({
    id: 'missing-key-admitted-by-alias',
    breaks: 'auth.key-required',
    does: 'A request that names its automation by alias requires no key.',
    api: onCall(
      'every',
      instead((call) => withoutKey(call) && isByAlias(call.request), admit),
    ),
  }),
  defect({
    id: 'missing-key-admitted-to-filtered-lists',
    breaks: 'auth.key-required',
    does: 'A list with a filter requires no key.',
    api: onCall(
      'every',
      instead((call) => withoutKey(call) && isFiltered(call), admit),
    ),
  }),
  defect({
    id: 'missing-key-changes-behind-401',
    breaks: 'auth.key-required',
    does: 'A change without a key gets 401, and is made.',
    api: behindRefusal((call) => withoutKey(call) && writes(call), 401),
  }),
  defect({
    id: 'missing-key-deletes-behind-401',
    breaks: 'auth.key-required',
    does: 'A deletion without a key gets 401, and is made.',
    api: behindRefusal((call) => withoutKey(call) && call.request.method === 'DELETE', 401),
  }),
  defect({
    id: 'empty-key-admitted',
    breaks: 'auth.key-required',
    does: 'Bearer without a key is accepted.',
    api: onCall('every', instead(withAuthorization(/^Bearer *$/), admit)),
  }),
  defect({
    id: 'other-scheme-admitted',
    breaks: 'auth.key-required',
    does: 'A key is accepted behind any scheme.',
    api: onCall('every', instead(withAuthorization(/^(?!Bearer )\S+ \S/), admit)),
  }),
  defect({
    id: 'key-alone-admitted',
    breaks: 'auth.key-required',
    does: 'A key is accepted without a scheme.',
    api: onCall('every', instead(withAuthorization(/^(?!Bearer)\S+$/), admit)),
  }),
  defect({
    id: 'other-scheme-changes-behind-401',
    breaks: 'auth.key-required',
    does: 'A change with a key behind another scheme gets 401, and is made.',
    api: behindRefusal((call) => withAuthorization(/^Token /)(call) && !isRead(call), 401),
  }),
  defect({
    id: 'key-with-tail-admitted',
    breaks: 'auth.key-required',
    does: 'A key is accepted if it begins with a known one.',
    api: onCall('every', instead(withTail, admit)),
  }),
  defect({
    id: 'key-with-equal-half-admitted',
    breaks: 'auth.key-required',
    does: 'Only the length and the first half of a key are compared.',
    api: onCall('every', instead(withHalf, admit)),
  }),
  defect({
    id: 'unknown-key-changes-behind-401',
    breaks: 'auth.key-required',
    does: 'A change with an unknown key gets 401, and is made.',
    api: behindRefusal((call) => withUnknownKey(call) && !isRead(call), 401),
  }),
  defect({
    id: 'refused-completion-uses-up-upload',
    breaks: 'auth.key-required',
    does: 'A completion with an unknown key gets 401, and the upload can no longer be completed.',
    api: usedUp(),
  }),
  defect({
    id: 'unknown-key-admitted',
    breaks: 'auth.key-required',
    does: 'Every key is accepted.',
    api: onCall('every', instead(withUnknownKey, admit)),
  }),
  defect({
    id: 'unknown-key-gets-404',
    breaks: 'auth.key-required',
    does: 'A request with an unknown key gets 404.',
    api: onRequest('every', (request, call) => (withUnknownKey(call) ? refuse(404) : request)),
  }),
  defect({
    id: 'ocr-key-admitted',
    breaks: 'scope.ocr-only',
    does: 'An OCR key may call every operation.',
    api: onCall('every', instead(withOcrKey, admit)),
  }),
  defect({
    id: 'ocr-key-changes-behind-403',
    breaks: 'scope.ocr-only.others',
    does: 'A change with an OCR key gets 403, and is made.',
    api: behindRefusal((call) => withOcrKey(call) && !isRead(call), 403),
  }),
  defect({
    id: 'ocr-key-admitted-by-alias',
    breaks: 'scope.ocr-only.others',
    does: 'An OCR key may call every operation with the alias of an automation.',
    api: onCall(
      'every',
      instead((call) => withOcrKey(call) && isByAlias(call.request), admit),
    ),
  }),
  defect({
    id: 'ocr-key-admitted-to-agents',
    breaks: 'scope.ocr-only.others',
    does: 'An OCR key may list the agents.',
    api: onCall('listAgents', instead(withOcrKey, admit)),
  }),
  defect({
    id: 'wildcard-key-refused',
    breaks: 'scope.wildcard.covers-all',
    does: 'A key with the wildcard scope lacks every other scope.',
    api: onRequest('every', (request, call) =>
      withWildcardKey(call) && call.operationId !== 'checkAuth'
        ? refuse(403, 'forbidden')
        : request,
    ),
  }),
  defect({
    id: 'wildcard-key-only-reads',
    breaks: 'scope.wildcard.covers-all',
    does: 'A key with the wildcard scope may read, but not change anything.',
    api: onRequest('every', (request, call) =>
      withWildcardKey(call) && request.method !== 'GET' ? refuse(403, 'forbidden') : request,
    ),
  }),
  defect({
    id: 'other-tenant-admitted',
    breaks: ISOLATION,
    does: 'A key of another tenant may use every id.',
    api: onCall(
      'every',
      instead((call) => fromOtherTenant(call) && hasId(call), admit),
    ),
  }),
  defect({
    id: 'other-tenant-gets-200-without-effect',
    breaks: ISOLATION,
    does: 'A change of what another tenant owns gets 200, and nothing changes.',
    api: onRequest('every', (request, call) =>
      fromOtherTenant(call) && writes(call) ? respond(200, { ok: true }) : request,
    ),
  }),
  defect({
    id: 'other-tenant-deletion-gets-200',
    breaks: 'auth.tenant.deletion',
    does: 'A deletion of what another tenant owns gets 200, and nothing is deleted.',
    api: onRequest('every', (request, call) =>
      fromOtherTenant(call) && request.method === 'DELETE' ? respond(200, { ok: true }) : request,
    ),
  }),
  defect({
    id: 'other-tenant-changes-behind-404',
    breaks: ISOLATION,
    does: 'A change of what another tenant owns gets 404, and is made.',
    api: behindRefusal((call) => fromOtherTenant(call) && !isRead(call), 404),
  }),
  defect({
    id: 'other-tenant-admitted-by-alias',
    breaks: ISOLATION,
    does: 'The alias of an automation is looked up in every tenant.',
    api: onCall(
      'every',
      instead((call) => fromOtherTenant(call) && isByAlias(call.request), admitOwner),
    ),
  }),
  defect({
    id: 'other-tenant-changes-by-alias-behind-404',
    breaks: ISOLATION,
    does: 'A change of an automation of another tenant by its alias gets 404, and is made.',
    api: onCall('every', async (call) => {
      const { request, next } = call;
      if (!fromOtherTenant(call) || !isByAlias(request) || isRead(call)) return next(request);
      await next(admitOwner(call));
      return refuse(404, 'not_found');
    }),
  }),
  defect({
    id: 'other-tenant-admitted-below-own-automation',
    breaks: ISOLATION,
    does: 'The tenant of the automation is compared, but not that of the review request or example below it.',
    api: onCall(['updateDatasetReviewRequest', 'renameExpectedFile', 'deleteInputFile'], (call) => {
      const { request, next, ring, knowledge } = call;
      const theirs = segment(request.url, 'automations');
      const owner = knowledge.keyFor(request.url);
      const isMixed = fromOtherTenant(call) && !isByAlias(request) && knowledge.isKnownId(theirs);
      if (!isMixed || ring === undefined || owner === undefined) return next(request);
      const mine = knowledge.fixtureOf(ring['wildcard'] ?? '', 'datasetAutomationId');
      const isTheirs =
        knowledge.fixtureOf(ring['wildcard'] ?? '', 'otherTenantAutomationId') === theirs;
      if (!isTheirs || mine === undefined) return next(request);
      const url = request.url.replace(encodeURIComponent(theirs), encodeURIComponent(mine));
      return next({ ...withKey(request, ring['wildcard'] ?? ''), url });
    }),
  }),
];

/** Sends another request for some callers. */
function instead(
  isConcerned: Caller,
  change: (call: Call) => Outgoing,
): (call: Call) => Promise<Incoming> {
  return (call) => call.next(isConcerned(call) ? change(call) : call.request);
}

/** The request with a key that may do everything with its path. */
function admit({ request, ring, knowledge }: Call): Outgoing {
  const known = knowledge.keyFor(request.url);
  const key = known ?? ring?.['wildcard'];
  return key === undefined ? request : withKey(request, key);
}

/** The request with the wildcard key of the tenant beside that of its key. */
function admitOwner({ request, ring }: Call): Outgoing {
  const key = ring?.['wildcard'];
  return key === undefined ? request : withKey(request, key);
}

/** Completes no upload that a request with an unknown key has named. */
function usedUp(): Open {
  return onCall('completeFileUpload', async (call) => {
    const { request, next, memory } = call;
    const id = segment(request.url, 'uploads');
    if (withUnknownKey(call)) memory.set(id, true);
    return memory.has(id) && !withUnknownKey(call) ? refuse(409) : next(request);
  });
}

/** Makes a change with the key of its owner, and responds with this status. */
function behindRefusal(isConcerned: Caller, status: number): Open {
  return onCall('every', async (call) => {
    const { request, next, knowledge } = call;
    const key = knowledge.keyFor(request.url);
    if (!isConcerned(call) || key === undefined) return next(request);
    await next(withKey(request, key));
    return refuse(status, 'not_found');
  });
}
