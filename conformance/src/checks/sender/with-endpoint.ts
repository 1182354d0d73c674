import type { CheckContext } from '../../check-kit/check.ts';
import type { DrivenEndpoint } from '../../driver/sender-driver.ts';
import type { ResponseScript } from '../../listener/delivery.ts';

/** Registers an endpoint for one check, and removes it. */
export async function withEndpoint(
  { sender }: CheckContext,
  script: ResponseScript,
  run: (driven: DrivenEndpoint) => Promise<void>,
): Promise<void> {
  const driven = await sender.open({ script, headers: {} });
  try {
    await run(driven);
  } finally {
    await driven.close();
  }
}
