import { redirectTarget } from '../../http/message.ts';
import type { Incoming, Outgoing } from '../../http/message.ts';
import type { Open } from '../kit/defect.ts';

/** Changes every archive, from the API or from the storage that an export was redirected to. */
export function transformed(
  change: (
    response: Incoming,
    call: { readonly request: Outgoing },
  ) => Incoming | Promise<Incoming>,
): Open {
  return (knowledge) => {
    const exports = new Map<string, Outgoing>();
    return {
      api: async (request, next) => {
        const response = await next(request);
        if (knowledge.operationOf(request)?.operationId !== 'exportDataset') return response;
        const storage = redirectTarget(request.url, response);
        if (storage === null) return change(response, { request });
        exports.set(storage, request);
        return response;
      },
      storage: async (request, next) => {
        const response = await next(request);
        const origin = exports.get(request.url);
        return origin === undefined ? response : change(response, { request: origin });
      },
    };
  };
}
