import type { Outgoing } from '../../http/message.ts';
import type { ApiOperation } from '../../checks/api/operations/operation.ts';
import { OPERATIONS } from '../../checks/api/operations/table.ts';
import { refuse, respond, withKey } from '../kit/message.ts';
import type { Knowledge } from '../knowledge.ts';
import type { Defect } from '../kit/defect.ts';
import { onRequest } from './change.ts';
import type { Called } from './change.ts';

/** A caller whom an operation should refuse, or should not. */
type Caller = (called: Called) => boolean;

const withoutKey: Caller = ({ key }) => key === undefined;
const withUnknownKey: Caller = ({ key, ring }) => key !== undefined && ring === undefined;
const withOcrKey: Caller = ({ key, ring }) => key !== undefined && key === ring?.['ocr'];
const withWildcardKey: Caller = ({ key, ring }) => key !== undefined && key === ring?.['wildcard'];
const fromOtherTenant: Caller = ({ key, ring }) =>
  key !== undefined && key === ring?.['otherTenant'];

const WITHOUT_AUTH_CHECK = OPERATIONS.filter(({ name }) => name !== 'auth-check');
const WITH_IDS = OPERATIONS.filter(({ ids }) => ids.length > 0);
const WRITES = OPERATIONS.filter(({ access }) => access !== 'read');

/** Operations that admit or refuse the wrong callers. */
export const accessDefects: readonly Defect[] = [
  ...OPERATIONS.flatMap((operation) => [
    defect(operation, 'admits-missing-key', 'auth.every-operation', withoutKey, admit),
    defect(operation, 'admits-unknown-key', 'auth.invalid-key', withUnknownKey, admit),
  ]),
  ...OPERATIONS.map((operation, index) =>
    // Every operation has one other status than 401.
    defect(
      operation,
      'refuses-missing-key-with-another-status',
      'auth.missing-key',
      withoutKey,
      () => refuse([400, 403, 404][index % 3] ?? 400),
    ),
  ),
  ...OPERATIONS.map((operation, index) =>
    defect(
      operation,
      'refuses-unknown-key-with-another-status',
      'auth.invalid-key',
      withUnknownKey,
      () => refuse([403, 404, 400][index % 3] ?? 403),
    ),
  ),
  ...WITHOUT_AUTH_CHECK.flatMap((operation) => [
    defect(operation, 'admits-ocr-key', 'scope.ocr-only', withOcrKey, admit),
    defect(operation, 'refuses-wildcard-key', 'scope.wildcard.covers-all', withWildcardKey, () =>
      refuse(403, 'forbidden'),
    ),
  ]),
  ...WITH_IDS.map((operation) =>
    defect(operation, 'admits-other-tenant', 'auth.tenant.isolation', fromOtherTenant, admit),
  ),
  ...WRITES.map((operation) =>
    defect(
      operation,
      'accepts-other-tenant-without-effect',
      operation.access === 'delete' ? 'auth.tenant.deletion' : 'auth.tenant.isolation',
      fromOtherTenant,
      () => respond(200, { ok: true }),
    ),
  ),
  ...WRITES.filter(({ effect }) => effect !== undefined).map(({ name, operationId }): Defect => ({
    id: `${name}-changes-for-other-tenant-behind-404`,
    side: 'api',
    does: `${operationId} responds 404 to another tenant and makes the change.`,
    breaks: 'auth.tenant.isolation',
    open: ({ operationOf, keyFor, keyringOf }) => ({
      api: async (request, next) => {
        const key = keyFor(request.url);
        const isConcerned = operationOf(request)?.operationId === operationId;
        const bearer = /^Bearer (.+)$/.exec(
          request.headers.find(([header]) => header.toLowerCase() === 'authorization')?.[1] ?? '',
        )?.[1];
        const isForeign = bearer !== undefined && keyringOf(bearer)?.['otherTenant'] === bearer;
        if (!isConcerned || !isForeign || key === undefined) return next(request);
        await next(withKey(request, key));
        return refuse(404, 'not_found');
      },
    }),
  })),
];

/** The request with a key that may do everything with its path. */
function admit({ request, ring }: Called, { keyFor }: Knowledge): Outgoing {
  const key = ring === undefined ? keyFor(request.url) : (keyFor(request.url) ?? ring['wildcard']);
  return key === undefined ? request : withKey(request, key);
}

function defect(
  { name, operationId }: ApiOperation,
  how: string,
  breaks: string,
  concerns: Caller,
  change: Parameters<typeof onRequest>[0],
): Defect {
  return {
    id: `${name}-${how}`,
    side: 'api',
    does: `${operationId} ${how.replaceAll('-', ' ')}.`,
    breaks,
    open: onRequest((called, knowledge) =>
      called.operation.operationId === operationId && concerns(called)
        ? change(called, knowledge)
        : called.request,
    ),
  };
}
