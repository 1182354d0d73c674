import type { AcceptTrace, FetchRunTrace, HandleTrace, ReceiveTrace } from '../diagnostics.ts';
import { VERIFICATION_ERROR_STAGES } from '../verify/errors.ts';
import type { Attributes } from './open-telemetry-api.ts';

/**
 * What finished work looks like outside: attributes with few values, and never an id, a payload or
 * a message.
 */
export interface Labels {
  readonly attributes: Attributes;
  readonly isError: boolean;
}

const STAGES: Readonly<Record<string, string>> = VERIFICATION_ERROR_STAGES;

export function receiveLabels({ code, status, secretIndex }: ReceiveTrace): Labels {
  const stage = STAGES[code ?? ''];
  return {
    attributes: {
      'hookproof.code': code ?? 'receiver_failed',
      ...(status !== null && { 'http.response.status_code': status }),
      ...(stage !== undefined && { 'hookproof.stage': stage }),
      ...(secretIndex !== null && { 'hookproof.secret_index': secretIndex }),
    },
    isError: status === null || status >= 500,
  };
}

export function acceptLabels({ kind, outcome }: AcceptTrace): Labels {
  return {
    attributes: { 'hookproof.kind': kind, 'hookproof.outcome': outcome ?? 'failed' },
    isError: outcome === null,
  };
}

export function handleLabels(message: HandleTrace): Labels {
  const { handler, attempt, isReplay, order, outcome } = message;
  return {
    attributes: {
      'hookproof.outcome': outcome ?? 'failed',
      'hookproof.retry': attempt > 1,
      'hookproof.replay': isReplay,
      ...(handler !== null && { 'hookproof.handler': handler }),
      ...(order !== null && { 'hookproof.order': order }),
    },
    isError: outcome !== 'handled',
  };
}

export function fetchRunLabels({ purpose, outcome }: FetchRunTrace): Labels {
  return {
    attributes: { 'hookproof.purpose': purpose, 'hookproof.outcome': outcome ?? 'failed' },
    isError: outcome !== 'read',
  };
}
