import type { ControlClient } from '../clients/control-client.ts';
import { record } from '../driver/recording.ts';
import type { Recording, RecordingTimes } from '../driver/recording.ts';
import { ACCEPTED } from '../listener/delivery.ts';
import type { SenderDriver } from '../driver/sender-driver.ts';
import type { StepPerformer } from '../options/step.ts';
import type { JournalScope } from '../journal/journal.ts';
import type { Listener } from '../listener/listener.ts';
import type { ListenerServer } from '../listener/listener-server.ts';
import type { Incoming } from '../http/message.ts';
import { REMEDIES } from '../options/facts.ts';
import { CouldNotRun, Inconclusive } from '../verdict/findings.ts';
import type { Finding } from '../verdict/findings.ts';

/** The sender under test, and whether its deliveries reach the suite. */
export interface ReachedSender {
  /** Why no check of the sender can run, or null. */
  readonly problem: Extract<Finding, { kind: 'could-not-run' | 'inconclusive' }> | null;
  /** What was delivered during the steps of a command or a person; null with a control interface. */
  readonly recording: Recording | null;
}

const ARRIVAL_MILLISECONDS = 5_000;
const PAUSE_MILLISECONDS = 250;

/**
 * Sends a test event to a new endpoint. Its deliveries do not reach the suite when the control interface lists an
 * attempt and none arrived. A sender that attempts nothing is left to the checks.
 */
export async function reachThroughControl(
  driver: SenderDriver,
  control: ControlClient,
  server: ListenerServer,
): Promise<ReachedSender> {
  const driven = await driver.open({ script: () => ACCEPTED, headers: {} }).catch(asSettled);
  if (driven === null) return { problem: null, recording: null };
  try {
    const { listener, endpoint } = driven;
    await driven.sendTest();
    await arrival(listener, control);
    if (listener.reached > 0) return { problem: null, recording: null };
    const deliveries = await control.deliveries({ endpointId: endpoint.id });
    const attempted = deliveries.some(({ attempts }) => attempts.length > 0);
    return {
      problem: attempted ? unreachable(server, 'a test event was sent') : null,
      recording: null,
    };
  } catch (error) {
    asSettled(error);
    return { problem: null, recording: null };
  } finally {
    await driven.close().catch(asSettled);
  }
}

/**
 * Performs the steps of a recording. Deliveries do not reach the suite when none arrived and the public URL does not
 * lead to the suite.
 */
export async function reachThroughSteps(
  performer: StepPerformer,
  server: ListenerServer,
  probe: (() => Promise<Incoming>) | null,
  changes: JournalScope,
  times: RecordingTimes,
): Promise<ReachedSender> {
  const refusal = await refusalOfProbe(server, probe);
  const recording = await record(performer, server, changes, times);
  if ('message' in recording) {
    const message = `create-endpoint: ${recording.message}`;
    return {
      recording: null,
      problem: recording.impossible
        ? { kind: 'could-not-run', message, remedies: [REMEDIES.driver] }
        : { kind: 'inconclusive', message },
    };
  }
  const silent = recording.listener.reached === 0;
  return { recording, problem: silent && refusal !== null ? unreachable(server, refusal) : null };
}

/** Why the public URL does not lead to the listener server; null when it does. */
async function refusalOfProbe(
  { url, probe: { token } }: ListenerServer,
  probe: (() => Promise<Incoming>) | null,
): Promise<string | null> {
  if (probe === null) return 'there is no --public-url';
  try {
    const { status, bytes } = await probe();
    const text = Buffer.from(bytes).toString('utf8');
    return text === token ? null : `GET ${url} got ${status} from something else`;
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    return error.message;
  }
}

function unreachable({ url }: ListenerServer, reason: string): ReachedSender['problem'] {
  return {
    kind: 'could-not-run',
    message: `no delivery reached the suite at ${url}: ${reason}`,
    remedies: [REMEDIES.listener],
  };
}

async function arrival(listener: Listener, control: ControlClient): Promise<void> {
  for (let waited = 0; waited < ARRIVAL_MILLISECONDS; waited += PAUSE_MILLISECONDS) {
    if (listener.reached > 0) return;
    await control.waitForIdle(PAUSE_MILLISECONDS);
    if (listener.reached === 0) await listener.arrival(PAUSE_MILLISECONDS);
  }
}

/** Swallows what checks will meet again and report themselves. */
function asSettled(error: unknown): null {
  if (error instanceof Inconclusive || error instanceof CouldNotRun) return null;
  throw error;
}
