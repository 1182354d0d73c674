import { Pool } from 'undici';

import { deliveryOf } from './delivery.ts';

/** The sender's maximum number of concurrent attempts. */
const CONNECTIONS = 256;

/** Lower bound of a sender: posts the same bytes repeatedly, signed once and not recorded. */
export async function postBare(origin: string, count: number): Promise<number> {
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const { headers: signed, body } = deliveryOf(1_024);
  const { host: _host, connection: _connection, ...headers } = signed;
  let left = count;
  const start = performance.now();
  const postOn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const response = await pool.request({ method: 'POST', path: '/quick', headers, body });
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, postOn));
  const seconds = (performance.now() - start) / 1_000;
  await pool.close();
  return count / seconds;
}
