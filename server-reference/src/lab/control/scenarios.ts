import type { EventDeliveryFaultOrder, ScenarioOrder, SentScenario } from '@hookproof/spec/control';
import { scenarioOutput, SCENARIOS } from '@hookproof/spec/scenarios';
import type { Scenario } from '@hookproof/spec/scenarios';

import { isoTime } from '../../clock/clock.ts';
import { invalidValue } from '../../errors.ts';
import { emitTestEvent, eventPayload } from '../../events/event.ts';
import { commitRunChange, createRun, moveRun } from '../../events/run-change.ts';
import type { NewRun, RunChange } from '../../events/run-change.ts';
import { runSnapshot } from '../../events/run-snapshot.ts';
import type { DeliveryRecord, WebhookEndpointRecord } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { RunRecord, RunStatus } from '../../store/runs.ts';
import { nextId } from '../../store/seed.ts';
import type { State } from '../../store/state.ts';
import type { WorldRecord } from '../../store/world.ts';
import { endpointsOf, sendPayload } from './events.ts';
import { injectDeliveryFault, refuseTooMany } from './faults.ts';
import { findAutomationOf, findKnown, findWorld } from './find.ts';
import type { ControlRoute } from './operation.ts';
import type { LabServices } from './services.ts';
import { waitUntil } from './wait.ts';

/** How long the next event waits for the first attempt of an app that does not respond. */
const MAX_STEP_MILLISECONDS = 2_000;
/** How long an event that is left out is held back. */
const A_DAY_MILLISECONDS = 86_400_000;

/** The route that sends what happens in a scenario. */
export function scenarioRoutes(services: LabServices): ControlRoute[] {
  const send: ControlRoute<ScenarioOrder> = {
    operationId: 'sendScenario',
    handle: async ({ body, signal }) => ({
      status: 200,
      body: await new Sending(services, body, signal).send(),
    }),
  };
  return [send];
}

/** Sends the events of one scenario, each after the first attempt of the one before. */
class Sending {
  readonly #services: LabServices;
  readonly #order: ScenarioOrder;
  readonly #signal: AbortSignal;
  readonly #scenario: Scenario;
  readonly #world: DeepReadonly<WorldRecord>;
  /** Whether each delivery is held back until tomorrow. */
  readonly #sent = new Map<DeepReadonly<DeliveryRecord>, boolean>();
  #runId: string | null = null;

  constructor(services: LabServices, order: ScenarioOrder, signal: AbortSignal) {
    const { state } = services.store;
    this.#services = services;
    this.#order = order;
    this.#signal = signal;
    this.#scenario = findScenario(order.scenario);
    this.#world = findWorld(state, order.worldId);
  }

  async send(): Promise<SentScenario> {
    const { payloads, endpointId } = this.#order;
    const { isTest, isSimultaneous, replaced } = this.#scenario;
    // A run sends its events as they happen, to every endpoint.
    const isSentByRun = !isSimultaneous && replaced === undefined && endpointId === undefined;
    if (payloads !== undefined) await this.#sendPayloads(payloads);
    else if (isTest === true) await this.#sendTests(this.#chosenEndpoints());
    else if (isSentByRun) await this.#sendRun();
    else {
      this.#chosenEndpoints();
      await this.#sendPayloads(await this.#silentRun());
    }
    await this.#firstAttempts();
    this.#addCopies();
    const deliveries = [...this.#sent].map(([{ id }, isHeld]) => ({ id, isHeld }));
    return { runId: this.#runId, deliveries };
  }

  /** @throws {ApiError} 404 or 409 if there is none to send to */
  #chosenEndpoints(): readonly DeepReadonly<WebhookEndpointRecord>[] {
    const { state } = this.#services.store;
    return endpointsOf(state, this.#world.id, this.#order.endpointId);
  }

  async #sendTests(endpoints: readonly DeepReadonly<WebhookEndpointRecord>[]): Promise<void> {
    const { store, clock, sender } = this.#services;
    const made = await store.commit((state) =>
      endpoints.map((endpoint) => emitTestEvent(state, clock.now(), endpoint)),
    );
    this.#add(made);
    sender.enqueue(made);
  }

  /** Makes a run that does what the scenario says. */
  async #sendRun(): Promise<void> {
    const { statuses, missing, fault, isReversed = false } = this.#scenario;
    const [first, ...moves] = statuses;
    // A number, so that the faults are exhausted and make room for others.
    const endpoints = this.#services.store.state.webhookEndpoints.filter(
      ({ worldId, enabled }) => enabled && worldId === this.#world.id,
    );
    const deliveries = statuses.length * Math.max(1, endpoints.length);
    const faults = [
      ...(fault === undefined ? [] : [{ ...fault, deliveries }]),
      ...(isReversed ? [{ name: 'reorder', deliveries } as const] : []),
    ];
    await this.#change((state) => {
      refuseTooMany(this.#services, 'delivery fault', faults.length);
      const change = createRun(state, this.#now(), this.#newRun(first, 'top-level'));
      const runId = change.run.id;
      for (const order of faults) injectDeliveryFault(this.#services, { ...order, runId });
      return change;
    });
    for (const [place, status] of moves.entries()) {
      if (!isReversed) await this.#firstAttempts();
      await this.#change((state) => this.#move(state, status), place + 1 === missing);
    }
  }

  /** Makes a run that sends nothing by itself. Returns the payloads of its events. */
  async #silentRun(): Promise<string[]> {
    const [first, ...moves] = this.#scenario.statuses;
    const payloads: string[] = [];
    await this.#change((state) => {
      const changes = [createRun(state, this.#now(), this.#newRun(first, 'invoke-workflow'))];
      const { run } = changes[0] ?? {};
      this.#runId = run?.id ?? null;
      if (run === undefined) throw new Error('A run was not made.');
      payloads.push(this.#payload(state, run));
      for (const status of moves) {
        changes.push(this.#move(state, status));
        payloads.push(this.#payload(state, run));
      }
      return { run, deliveries: [] };
    });
    return payloads;
  }

  async #sendPayloads(payloads: readonly string[]): Promise<void> {
    const { fault, missing, isReversed = false } = this.#scenario;
    const { worldId, endpointId } = this.#order;
    const inOrder = [...payloads.entries()];
    for (const [place, payload] of isReversed ? inOrder.toReversed() : inOrder) {
      const isHeld = place === missing;
      const deliveryFaults: EventDeliveryFaultOrder[] = [
        ...(fault === undefined ? [] : [fault]),
        ...(isHeld ? [{ name: 'delay', milliseconds: A_DAY_MILLISECONDS } as const] : []),
      ];
      const order = {
        payload,
        deliveryFaults,
        ...(worldId === undefined ? {} : { worldId }),
        ...(endpointId === undefined ? {} : { endpointId }),
      };
      this.#add(await sendPayload(this.#services, order, `payloads[${place}]`), isHeld);
      await this.#firstAttempts();
    }
  }

  /** Commits a change of the run, and notes its deliveries. */
  async #change(mutate: (state: State) => RunChange, isHeld: boolean = false): Promise<void> {
    await commitRunChange(this.#services, (state) => {
      const change = mutate(state);
      this.#runId = change.run.id;
      if (isHeld) {
        const tomorrow = isoTime(this.#now() + A_DAY_MILLISECONDS);
        for (const { id } of change.deliveries) state.deliveries.edit(id).nextAttemptAt = tomorrow;
      }
      this.#add(change.deliveries, isHeld);
      return change;
    });
  }

  #move(state: State, status: RunStatus): RunChange {
    const run = findKnown(state.runs, this.#runId ?? '', 'scenario', 'run');
    const output =
      status === 'completed' ? { output: scenarioOutput(this.#scenario, this.#order.output) } : {};
    return moveRun(state, this.#now(), run, { status, ...output });
  }

  #newRun(status: RunStatus, origin: NewRun['origin']): NewRun {
    const { state } = this.#services.store;
    const { automation: type } = this.#scenario;
    const automationId = this.#order.automationId ?? this.#world.fixtures[`${type}Id`];
    return {
      worldId: this.#world.id,
      automation: findAutomationOf(state, this.#world, automationId),
      origin,
      triggerType: 'api',
      status,
    };
  }

  /** Returns the payload of the last event of a run, with what no run has. */
  #payload(state: State, run: DeepReadonly<RunRecord>): string {
    const { isSimultaneous = false, replaced } = this.#scenario;
    const payload = eventPayload({
      id: nextId(state, 'whev_'),
      createdAt: (isSimultaneous ? run.createdAt : run.history.at(-1)?.at) ?? run.createdAt,
      test: false,
      run: runSnapshot(run),
      previousStatus: run.history.at(-2)?.status,
    });
    return replaced === undefined
      ? payload
      : JSON.stringify({ ...JSON.parse(payload), ...replaced });
  }

  /** With the first attempt, the fault `duplicate` adds deliveries of the same event. */
  #addCopies(): void {
    const sent = [...this.#sent.keys()];
    const [first] = sent;
    if (first === undefined || this.#scenario.fault?.name !== 'duplicate') return;
    const events = new Set(sent.map(({ eventId }) => eventId));
    const all = [...this.#services.store.state.deliveries.values()];
    // Those before it are of a payload that was sent earlier too.
    const later = all.slice(all.indexOf(first)).filter((one) => !this.#sent.has(one));
    this.#add(later.filter(({ eventId }) => events.has(eventId)));
  }

  #add(deliveries: readonly DeepReadonly<DeliveryRecord>[], isHeld: boolean = false): void {
    for (const delivery of deliveries) this.#sent.set(delivery, isHeld);
  }

  /** Resolves when every delivery that is not held back has its first attempt, or after a time. */
  async #firstAttempts(): Promise<void> {
    const areMade = (): boolean =>
      [...this.#sent].every(([{ attempts }, isHeld]) => isHeld || attempts.length > 0);
    await waitUntil(areMade, this.#services.feed.subscribe, MAX_STEP_MILLISECONDS, this.#signal);
  }

  #now(): number {
    return this.#services.clock.now();
  }
}

function findScenario(name: string): Scenario {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (scenario !== undefined) return scenario;
  const names = SCENARIOS.map((one) => one.name).join(', ');
  throw invalidValue('scenario', `must be one of ${names}, got ${name}`);
}
