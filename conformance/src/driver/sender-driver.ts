import type { RunStatus } from '@hookproof/spec';
import type { Clock, RunOrigin } from '@hookproof/spec/control';

import type { ControlledRun } from '../clients/control-client.ts';
import type { KeyName } from '../options/facts.ts';
import type { ResponseScript } from '../listener/delivery.ts';
import type { Listener } from '../listener/listener.ts';
import type { Waited } from './wait-strategy.ts';

/** Causes deliveries of the sender under test: through a control interface, a command or a person. */
export interface SenderDriver {
  /** Opens an endpoint of the suite and registers it. Throws `CouldNotRun` when the driver cannot. */
  open(wanted: WantedEndpoint): Promise<DrivenEndpoint>;
}

/** The headers that a check of custom headers asks for. */
export const CUSTOM_HEADERS: Readonly<Record<string, string>> = {
  'x-hookproof-suite':
    'Custom value of more than one word, in Upper and lower case; key="a-b_c", path=/a/b?c=1, 0123456789 and so on to a length that few gateways cut',
  'x-hookproof-second': '2',
};

/** The endpoint that a check asks for. */
export interface WantedEndpoint {
  /** Chooses the responses. What was recorded before had its own responses. */
  readonly script: ResponseScript;
  readonly headers: Readonly<Record<string, string>>;
  /** The end of its URL, with its `?`. Default: none. */
  readonly query?: string;
  /** An endpoint of the same tenant. Default: a tenant of its own, where the driver can create one. */
  readonly sameTenant?: DrivenEndpoint;
}

/** The run that a check asks for. Absent members are left to the driver. */
export interface WantedRun {
  /** Whether the run belongs to a workflow or an agent. Default: `workflow`. */
  readonly type?: 'workflow' | 'agent';
  readonly origin?: RunOrigin;
  readonly triggerType?: string;
  /** Its first status. */
  readonly status?: RunStatus;
  readonly output?: unknown;
}

/** A manual redelivery. Its own delivery may still be on its way. */
export interface Redelivery {
  readonly eventId: string;
  readonly arrivedBefore: number;
  /** The deliveries of all events before. */
  readonly deliveriesBefore: number;
}

/** A registered endpoint, and what can be done with its sender. Each method throws `CouldNotRun` for what the driver cannot do. */
export interface DrivenEndpoint {
  readonly endpoint: { readonly id: string; readonly url: string; readonly secret: string };
  readonly listener: Listener;
  /** The tenant of the endpoint; null when the driver does not know it. */
  readonly tenantId: string | null;
  /** A key that can read the runs of this endpoint. */
  readonly key: KeyName | { readonly value: string };
  createRun(wanted?: WantedRun): Promise<ControlledRun>;
  /**
   * Moves a run through statuses, and resolves with those that it is known to have had after its creation: those before
   * a move that the deployment refused, unless it refused the first one. A driver that cannot move runs resolves with
   * the statuses of a run that progressed by itself; the last wanted one is among them if it is terminal.
   */
  move(run: ControlledRun, ...statuses: readonly RunStatus[]): Promise<readonly RunStatus[]>;
  /** Sends a test event and resolves with its id. */
  sendTest(): Promise<string>;
  /** Sends a delivered event of the run again. Resolves with its id, and with the number of its arrivals before. */
  redeliver(run: ControlledRun): Promise<Redelivery>;
  disable(): Promise<void>;
  /** Deletes the endpoint. Its listener stays open. */
  remove(): Promise<void>;
  /** The clock of the sender. */
  clock(): Promise<Clock>;
  /** Waits until the condition holds or on timeout. */
  wait(condition: () => boolean): Promise<Waited>;
  /** Removes the endpoint and closes its listener. */
  close(): Promise<void>;
}
