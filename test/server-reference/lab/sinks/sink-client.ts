import { expect } from 'vitest';

import type { SinkView } from '../../../../server-reference/src/lab/sinks/view.ts';
import type { ControlClient } from '../control/control-client.ts';

/** Opens a sink; its `url` is the address for an endpoint. */
export function openSink(control: ControlClient, responses?: readonly object[]): Promise<SinkView> {
  return control.expectOk(201, '/sinks', responses === undefined ? {} : { responses });
}

export function readSink(control: ControlClient, { id }: { id: string }): Promise<SinkView> {
  return control.expectOk(200, `/sinks/${id}`);
}

/** Waits until the given number of requests has arrived. */
export async function arrived(
  control: ControlClient,
  { id }: { id: string },
  count: number,
): Promise<SinkView> {
  const sink = await control.expectOk<SinkView>(200, '/wait', { for: 'sink', id, arrived: count });
  expect(sink.arrived).toBeGreaterThanOrEqual(count);
  return sink;
}
