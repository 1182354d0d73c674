import { RESPONSE_REQUIREMENTS } from '../../checks/api/envelope/response-requirements.ts';
import { OPERATIONS } from '../../checks/api/operations/table.ts';
import type { Incoming } from '../../http/message.ts';
import { replaceHeader, withBytes } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import { isSuccess, onResponse } from './change.ts';

const FORMS: Readonly<Record<string, (response: Incoming) => Incoming>> = {
  'is-a-page': (response) => withBytes(response, Buffer.from('<html></html>')),
  'is-declared-as-text': (response) => replaceHeader(response, 'content-type', 'text/plain'),
};

/** Successes that are no JSON, or do not say so, by operation. */
export const successDefects: readonly Defect[] = OPERATIONS.filter(
  ({ name }) => RESPONSE_REQUIREMENTS[name] !== undefined,
).flatMap(({ name, operationId }) =>
  Object.entries(FORMS).map(([how, change]): Defect => ({
    id: `${name}-success-${how}`,
    side: 'api',
    does: `A success of ${operationId} ${how.replaceAll('-', ' ')}.`,
    breaks: 'versioning.wire.json-bodies',
    open: onResponse((response, { operation }) =>
      operation.operationId === operationId && isSuccess(response) ? change(response) : response,
    ),
  })),
);
