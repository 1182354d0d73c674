import type {
  ApiFaultList,
  ApiFaultOrder,
  DeliveryFaultList,
  DeliveryFaultName,
  Limits,
  LimitsChange,
} from '@hookproof/spec/control';

import { call, send } from './call.ts';

/** `listDeliveryFaults`. */
export function listDeliveryFaults(): Promise<DeliveryFaultList> {
  return call({ path: '/delivery-faults' });
}

/** `listApiFaults`. */
export function listApiFaults(): Promise<ApiFaultList> {
  return call({ path: '/api-faults' });
}

/** `getLimits`. */
export function getLimits(): Promise<Limits> {
  return call({ path: '/limits' });
}

/** `injectDeliveryFault`, with its defaults. */
export async function injectDeliveryFault(name: DeliveryFaultName): Promise<void> {
  await send({ method: 'POST', path: '/delivery-faults', body: { name } });
}

/** `injectApiFault`. */
export async function injectApiFault(order: ApiFaultOrder): Promise<void> {
  await send({ method: 'POST', path: '/api-faults', body: order });
}

/** `removeDeliveryFault` or `removeApiFault`. */
export async function removeFault(kind: 'delivery' | 'api', id: string): Promise<void> {
  await send({ method: 'DELETE', path: `/${kind}-faults/${encodeURIComponent(id)}` });
}

/** `changeLimits`. */
export async function changeLimits(body: LimitsChange): Promise<void> {
  await send({ method: 'PATCH', path: '/limits', body });
}

/** `removeFaults`, and the end of all limits. */
export async function stopAll(): Promise<void> {
  await Promise.all([
    send({ method: 'DELETE', path: '/faults' }),
    changeLimits({ rateLimit: null, accounting: 'available' }),
  ]);
}
