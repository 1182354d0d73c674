import type { Incoming, Outgoing } from '../../http/message.ts';
import { onCall, onRequest } from '../kit/api.ts';
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
const hasId: Caller = ({ operation }) => operation.path.includes('{');
const writes: Caller = ({ request }) => request.method === 'PATCH' || request.method === 'POST';

const DOWNLOADS = ['getFileContent', 'exportDataset'];
const ON_APP_ADDRESS = ['getRunApp', 'copyOutputToExpectedApp'];
const ISOLATION = 'auth.tenant.isolation';

/** Operations that admit or refuse the wrong callers. */
export const accessDefects: readonly Defect[] = [
  defect({
    id: 'missing-key-admitted',
    breaks: 'auth.every-operation',
    does: 'No operation requires a key.',
    api: onCall('every', instead(withoutKey, admit)),
  }),
  defect({
    id: 'missing-key-admitted-to-downloads',
    breaks: 'auth.every-operation',
    does: 'Downloads and exports require no key.',
    api: onCall(DOWNLOADS, instead(withoutKey, admit)),
  }),
  defect({
    id: 'missing-key-admitted-on-app-address',
    breaks: 'auth.every-operation',
    does: 'The operations on the app address require no key.',
    api: onCall(ON_APP_ADDRESS, instead(withoutKey, admit)),
  }),
  defect({
    id: 'missing-key-gets-403',
    breaks: 'auth.missing-key',
    does: 'A request without a key gets 403.',
    api: onRequest('every', (request, call) => (withoutKey(call) ? refuse(403) : request)),
  }),
  defect({
    id: 'unknown-key-admitted',
    breaks: 'auth.invalid-key',
    does: 'Every key is accepted.',
    api: onCall('every', instead(withUnknownKey, admit)),
  }),
  defect({
    id: 'unknown-key-gets-404',
    breaks: 'auth.invalid-key',
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
    api: behindRefusal((call) => fromOtherTenant(call) && call.request.method !== 'GET'),
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

/** Makes a change with the key of its owner, and responds 404. */
function behindRefusal(isConcerned: Caller): Open {
  return onCall('every', async (call) => {
    const { request, next, knowledge } = call;
    const key = knowledge.keyFor(request.url);
    if (!isConcerned(call) || key === undefined) return next(request);
    await next(withKey(request, key));
    return refuse(404, 'not_found');
  });
}
