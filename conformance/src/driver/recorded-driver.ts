import { RUN_STATUSES } from '@hookproof/spec';
import type { RunStatus } from '@hookproof/spec';

import type { ControlledRun } from '../clients/control-client.ts';
import { runOf } from '../listener/delivery.ts';
import type { ReceivedDelivery } from '../listener/delivery.ts';
import { CouldNotRun, Inconclusive } from '../verdict/findings.ts';
import type { NotDone, RecordedRun, Recording } from './recording.ts';
import { CUSTOM_HEADERS } from './sender-driver.ts';
import type { DrivenEndpoint, SenderDriver, WantedEndpoint, WantedRun } from './sender-driver.ts';
import { waiting } from './wait-strategy.ts';

const REMEDY = 'use a control interface, or a --step-command that can do this step';

/** A driver that replays one recording: a check gets recorded runs instead of new ones, and all recorded deliveries. */
export function createRecordedDriver(
  recording: Recording,
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
): SenderDriver {
  return {
    async open(wanted) {
      requireHeaders(recording, wanted);
      if ((wanted.query ?? '') !== '') {
        throw new CouldNotRun('the endpoint of the recording has no query', REMEDY);
      }
      if (wanted.sameTenant !== undefined) {
        throw new CouldNotRun('the recording has one endpoint', REMEDY);
      }
      const view = new View(recording);
      const { endpoint } = recording;
      return {
        endpoint: {
          id: endpoint.id,
          url: endpoint.url,
          get secret() {
            if (endpoint.secret !== null) return endpoint.secret;
            throw new CouldNotRun(
              'the secret of the endpoint is unknown',
              'report the secret in the step create-endpoint',
            );
          },
        },
        listener: recording.listener,
        tenantId: null,
        key: 'main',
        createRun: async (run) => view.assign(run),
        move: async (run) => view.move(run),
        sendTest: async () => eventOf(recording.testEventId),
        async redeliver({ id }) {
          const { redelivery } = recording;
          if ('message' in redelivery) throw missing('redeliver', redelivery);
          if (redelivery.runId === id) return redelivery;
          throw new CouldNotRun(`no event of run ${id} was sent again`, REMEDY);
        },
        async disable() {
          throw new CouldNotRun('the endpoint cannot be disabled', REMEDY);
        },
        async remove() {
          throw new CouldNotRun('the endpoint is deleted at the end of the run', REMEDY);
        },
        clock: async () => ({ mode: 'real', now: new Date(now()).toISOString() }),
        async wait(condition) {
          const { stepsEndedAt, endsAt, listener } = recording;
          const retryWindowMilliseconds = Math.max(0, endsAt - now());
          const strategy = waiting({ now, signal, retryWindowMilliseconds });
          const waited = await strategy.until(condition, listener);
          // The time before this check counts too.
          return { ...waited, milliseconds: now() - stepsEndedAt };
        },
        close: () => Promise.resolve(),
      } satisfies DrivenEndpoint;
    },
  };
}

function requireHeaders({ hasHeaders }: Recording, { headers }: WantedEndpoint): void {
  const asked = Object.entries(headers);
  const known = asked.every(([name, value]) => CUSTOM_HEADERS[name] === value);
  if (asked.length === 0 || (known && hasHeaders)) return;
  throw new CouldNotRun(
    'the endpoint has no custom headers',
    'set the headers in the step create-endpoint, and report {"headers": true}',
  );
}

function eventOf(event: Recording['testEventId']): string {
  if (typeof event === 'string') return event;
  throw missing('send-test', event);
}

function missing(step: string, { message, impossible }: NotDone): CouldNotRun | Inconclusive {
  return impossible
    ? new CouldNotRun(`${step}: ${message}`, REMEDY)
    : new Inconclusive(`Cannot judge: ${step}: ${message}.`);
}

/** What one check sees of a recording. */
class View {
  readonly #recording: Recording;
  readonly #assigned = new Map<ControlledRun, RecordedRun>();

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  /** A recorded run that fits, and that this check has not got before. */
  assign(wanted: WantedRun = {}): ControlledRun {
    const [best] = this.#free(wanted);
    if (best === undefined) {
      const { type = 'workflow', origin = 'top-level' } = wanted;
      const missed = this.#recording.missedRuns.find(
        (one) => one.type === type && one.origin === origin,
      );
      if (missed !== undefined) throw missing(missed.name, missed);
      throw new CouldNotRun(
        `the recording has no further run for this check, of ${type === 'agent' ? 'an agent' : 'a workflow'}, ${origin}`,
        REMEDY,
      );
    }
    const run: ControlledRun = { id: best.id, status: this.#firstStatusOf(best) };
    this.#assigned.set(run, best);
    return run;
  }

  /** The statuses that a run is known to have had after its first one. */
  move(run: ControlledRun): readonly RunStatus[] {
    const recorded = this.#assigned.get(run);
    if (recorded === undefined) throw new TypeError('move expects a run of createRun');
    const { confirmed } = recorded;
    return confirmed[0] === run.status ? confirmed.slice(1) : confirmed;
  }

  /** The runs that fit and that the check has not got, best known first. */
  #free(wanted: WantedRun): readonly RecordedRun[] {
    const { type = 'workflow', origin = 'top-level' } = wanted;
    const assigned = new Set(this.#assigned.values());
    return this.#recording.runs
      .filter((run) => run.type === type && run.origin === origin && !assigned.has(run))
      .filter((run) => this.#fits(run, wanted))
      .toSorted((a, b) => b.confirmed.length - a.confirmed.length);
  }

  #fits(run: RecordedRun, { triggerType, status, output }: WantedRun): boolean {
    if (output !== undefined) return false;
    const [first] = this.#of(run).map(({ event }) => runOf(event));
    return (
      (triggerType === undefined || first?.['triggerType'] === triggerType) &&
      (status === undefined || this.#firstStatusOf(run) === status)
    );
  }

  #firstStatusOf(run: RecordedRun): RunStatus {
    const created = this.#of(run).find(({ event }) => event['type'] === 'run.created');
    const status = created && runOf(created.event)['status'];
    return RUN_STATUSES.find((one) => one === status) ?? 'pending';
  }

  #of({ id }: RecordedRun): readonly ReceivedDelivery[] {
    return this.#recording.listener.deliveries.filter(({ event }) => runOf(event)['id'] === id);
  }
}
