import { isSuccess, onResponse } from '../kit/api.ts';
import { defect } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
import { jsonOf, replaceHeader, withBytes } from '../kit/message.ts';

const BREAKS = 'versioning.wire.json-bodies';

/** Successes that are not JSON, or do not say so. */
export const successDefects: readonly Defect[] = [
  defect({
    id: 'success-is-a-page',
    breaks: BREAKS,
    does: 'The success of an operation on one resource is an HTML page declared as JSON.',
    api: onResponse('every', (response, { operation, operationId }) =>
      operation.path.includes('{') &&
      isSuccess(response) &&
      operationId !== 'getFileContent' &&
      jsonOf(response) !== undefined
        ? withBytes(response, Buffer.from('<html></html>'))
        : response,
    ),
  }),
  defect({
    id: 'success-declared-as-text',
    breaks: BREAKS,
    does: 'Successes are JSON declared as text/plain.',
    api: onResponse('every', (response, { operationId }) =>
      isSuccess(response) && operationId !== 'getFileContent' && jsonOf(response) !== undefined
        ? replaceHeader(response, 'content-type', 'text/plain')
        : response,
    ),
  }),
];
