import type { ControlClient } from '../clients/control-client.ts';
import { record } from '../driver/recording.ts';
import type { MissedStep, Recording, RecordingTimes } from '../driver/recording.ts';
import { ACCEPTED } from '../listener/delivery.ts';
import type { SenderDriver } from '../driver/sender-driver.ts';
import type { StepPerformer } from '../options/step.ts';
import type { JournalScope } from '../undo/journal.ts';
import type { Listener } from '../listener/listener.ts';
import type { ListenerServer } from '../listener/listener-server.ts';
import type { Incoming } from '../http/message.ts';
import { optionRemedy } from '../options/remedies.ts';
import { isLoopback } from '../http/loopback.ts';
import { CouldNotRun, Inconclusive, Unreachable } from '../verdict/findings.ts';

const ARRIVAL_MILLISECONDS = 5_000;
const PAUSE_MILLISECONDS = 250;

/**
 * Sends a test event to a new endpoint. Throws `Unreachable` when the control interface lists an attempt and none
 * arrived. A sender that attempts nothing is left to the checks.
 */
export async function reachThroughControl(
  driver: SenderDriver,
  control: ControlClient,
  server: ListenerServer,
): Promise<void> {
  const driven = await driver.open({ script: () => ACCEPTED, headers: {} }).catch(asSettled);
  if (driven === null) return;
  try {
    const { listener, endpoint } = driven;
    await driven.sendTest();
    await arrival(listener, control);
    if (listener.reached > 0) return;
    const { data: deliveries } = await control.listDeliveries({ endpointId: endpoint.id });
    const attempts = deliveries.flatMap((delivery) => delivery.attempts);
    if (attempts.length === 0) return;
    const errors = attempts.flatMap(({ error = null, detail = null }) => detail ?? error ?? []);
    const [reason] = errors;
    throw unreachable(
      server,
      reason === undefined ? 'a test event was sent' : `the sender reports ${reason}`,
    );
  } catch (error) {
    asSettled(error);
  } finally {
    await driven.close().catch(asSettled);
  }
}

/** How the steps of a sender without a control interface are performed. */
interface StepSetting {
  readonly performer: StepPerformer;
  readonly server: ListenerServer;
  /** A request of the suite to its own public URL; null without such a URL. */
  readonly probe: (() => Promise<Incoming>) | null;
  readonly changes: JournalScope;
  readonly times: RecordingTimes;
  readonly notice: (text: string) => void;
}

/**
 * Performs the steps of a recording. Throws `Unreachable` before the first step when the public URL is an address of this
 * machine that does not lead to the suite, when the first step fails, and when nothing arrived after the first steps
 * because one of them failed or no public URL leads to the suite.
 */
export async function reachThroughSteps({
  performer,
  server,
  probe,
  changes,
  times,
  notice,
}: StepSetting): Promise<Recording> {
  const { url } = server;
  const refusal = await refusalOfProbe(server, probe);
  const seconds = Math.round(times.retryWindowMilliseconds / 1000);
  if (probe !== null && refusal !== null) {
    if (isLoopback(new URL(url).hostname)) throw unreachable(server, refusal, 'can reach');
    notice(`The suite cannot reach ${url} itself: ${refusal}. The first delivery decides.`);
  }
  notice(`Waiting up to ${seconds} s for deliveries at ${url} while the steps are performed.`);
  const recording = await record(performer, server, changes, times, (missed) => {
    if (missed.length > 0) throw nothingCaused(performer, missed);
    if (refusal !== null) throw unreachable(server, refusal);
  });
  if ('message' in recording) throw notDriven(performer, recording);
  notice(`All steps are done. Waiting up to ${seconds} s for retries (--retry-window).`);
  return recording;
}

/** Why the public URL does not lead to the listener server; null when it does. */
async function refusalOfProbe(
  { url, probe: { token } }: ListenerServer,
  probe: (() => Promise<Incoming>) | null,
): Promise<string | null> {
  if (probe === null) {
    const trust = url.startsWith('https:') ? ', and the target may not trust its certificate' : '';
    return `there is no --public-url${trust}`;
  }
  try {
    const { status, bytes } = await probe();
    const text = Buffer.from(bytes).toString('utf8');
    return text === token ? null : `GET ${url} got ${status} from something else`;
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    return error.message;
  }
}

function unreachable(
  { url }: ListenerServer,
  reason: string,
  reached: 'reached' | 'can reach' = 'reached',
): Unreachable {
  return new Unreachable(url, `no delivery ${reached} the suite at ${url}: ${reason}`, {
    headline: `no delivery at ${url}`,
    remedy: optionRemedy('listener'),
  });
}

function optionOf({ person }: StepPerformer): string {
  return person ? '--ask' : '--step-command';
}

function endOf({ message, impossible }: MissedStep): string {
  return `${impossible ? 'is impossible' : 'failed'}: ${message}`;
}

/** Steps after the first one failed, and nothing arrived. */
function nothingCaused(performer: StepPerformer, missed: readonly MissedStep[]): Unreachable {
  const option = optionOf(performer);
  const ends = missed.map((step) => `${step.name} ${endOf(step)}`).join('; ');
  return new Unreachable(option, `${option}: no delivery arrived, because the step ${ends}`, {
    headline: `${option} causes no delivery`,
    remedy: `${option} with steps send-test and create-run that work`,
  });
}

/** The first step decides: without an endpoint there is nothing to judge. */
function notDriven(performer: StepPerformer, step: MissedStep): Unreachable {
  const option = optionOf(performer);
  const { impossible } = step;
  return new Unreachable(option, `${option}: the first step, create-endpoint, ${endOf(step)}`, {
    headline: `${option} creates no endpoint`,
    remedy: impossible
      ? optionRemedy('driver')
      : `${option} with a step create-endpoint that works`,
  });
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
