import {
  knownName,
  knownOptions,
  optionsObject,
  requireHandlerFunction,
  trueOrFalse,
} from './argument-checks.ts';
import type { Clock } from './clock.ts';
import type { Processing, ReceiverStats } from './processing/processing.ts';
import { workingSettings, WORKING_OPTIONS } from './processing/working-options.ts';
import type { WorkingOptions } from './processing/working-options.ts';
import { reportOf } from './problems.ts';
import { VerifyingIngress } from './receive/ingress.ts';
import type { Ingress, MISDIRECTED } from './receive/ingress.ts';
import { bodyLimits, INGRESS_NUMBERS } from './receive/ingress-settings.ts';
import type { ExplainRefusal, IngressLimits } from './receive/ingress-settings.ts';
import { processingOf, receivingOf } from './processing/receiver-parts.ts';
import type { StartedIngress } from './processing/receiver-parts.ts';
import type { Handlers } from './runs/handlers.ts';
import type { PlatformSource } from './runs/platform.ts';
import { requireSource } from './sources/require-source.ts';
import type { EventTypes, Source } from './sources/source.ts';
import { sourceDeliveries } from './sources/source-deliveries.ts';
import type { TypedHandlers } from './sources/source-event.ts';
import { typedWork } from './sources/typed-work.ts';
import { StoredProcessor } from './processing/stored-processor.ts';
import { mustBe } from './verify/errors.ts';
import type { SourceWork } from './worker/source-work.ts';

/** Any source: the platform, or one of another sender. */
export type AnySource = PlatformSource | Source;

/** The sources of a receiver by their names. */
export type Sources = Readonly<Record<string, AnySource>>;

/** The handlers of a source. */
export type HandlersOf<Each, Tx = unknown> = Each extends PlatformSource
  ? Handlers<Tx>
  : Each extends { readonly events?: infer Events extends EventTypes }
    ? TypedHandlers<Events, Tx>
    : never;

/** The options of a receiver with several senders. */
export interface SourcesOptions<Named extends Sources, Tx = unknown>
  extends WorkingOptions<Tx>, IngressLimits {
  /**
   * The senders, by names of yours: 1 to 64 letters, digits, `_` and `-`. A store keeps the name
   * with each event, so do not change it while events are open.
   */
  readonly sources: Named;
  /** The functions to call, by source and kind of event. Default: none. */
  readonly handlers?: { readonly [Name in keyof Named]?: HandlersOf<Named[Name], NoInfer<Tx>> };
  /** As in `ReceiverOptions`. Default: `false`. */
  readonly explainRefusals?: boolean;
}

/** A receiver with several senders. Its inbox, replay and pauses are those of all of them. */
export interface SourcesReceiver<Named extends Sources = Sources, Tx = unknown> extends Processing {
  /**
   * Returns one source: pass it to an adapter in place of a receiver.
   *
   * @throws {TypeError} When no source has this name.
   */
  source<Name extends keyof Named & string>(
    name: Name,
  ): ReceiverSource<HandlersOf<Named[Name], Tx>>;
  /** Returns what `stats()` of a processor returns, and how many deliveries were refused. */
  stats(): Promise<ReceiverStats>;
}

/** One source of a receiver. */
export interface ReceiverSource<Each> extends Pick<
  Ingress,
  'receive' | typeof MISDIRECTED | 'signatureHeaders'
> {
  /** Adds a handler. Handlers of one name are called in the order in which they were added. */
  on<Name extends keyof Each & string>(name: Name, handler: NonNullable<Each[Name]>): void;
}

const SOURCES_OPTIONS = [
  ...(['store', 'sources', 'handlers', 'explainRefusals'] as const),
  ...WORKING_OPTIONS,
  ...Object.keys(INGRESS_NUMBERS),
];

/** A name is also in that of a pause, before a slash. */
const SOURCE_NAME = /^[\w-]{1,64}$/;

/** @throws {TypeError} When an option is invalid or unknown; the message names the option. */
export function severalSources<Tx>(
  options: SourcesOptions<Sources, Tx>,
): SourcesReceiver<Sources, Tx> {
  knownOptions(options, SOURCES_OPTIONS);
  const { sources, handlers = {} } = options;
  requireSources(sources);
  const names = Object.keys(sources);
  knownOptions(handlers, names, 'handlers');
  const explains = trueOrFalse('explainRefusals', options.explainRefusals, false);
  const works = new Map<string, SourceWork<Tx>>();
  for (const [name, source] of Object.entries(sources)) {
    const given: unknown = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    works.set(name, isPlatform(source) ? source.work<Tx>(given) : typedWork(name, source, given));
  }
  const settings = workingSettings(options, works, { hasSources: true });
  const { clock } = settings.worker;
  const processor = new StoredProcessor(settings);
  const ingresses = new Map<string, StartedIngress>();
  for (const [name, source] of Object.entries(sources)) {
    const report = reportOf(processor.inbox.report, name);
    const { bodyLimitBytes = options.bodyLimitBytes } = source;
    const limits = bodyLimits({
      ...options,
      ...(bodyLimitBytes !== undefined && { bodyLimitBytes }),
    });
    const others = headersOfOthers(name, sources);
    const shared = { ...limits, clock, report, others, accept: processor.accept };
    ingresses.set(
      name,
      isPlatform(source)
        ? source.ingress(name, shared, explains)
        : new VerifyingIngress({
            ...shared,
            source: sourceDeliveries(name, source, processor.accept, {
              now: () => clock.now(),
              report,
            }),
            rotationUntil: 0,
            explain: explains ? explainWith(source, clock) : undefined,
          }),
    );
  }
  return {
    ...processingOf(processor, [...ingresses.values()]),
    source(name) {
      knownName('source', name, names);
      const ingress = ingresses.get(name);
      if (ingress === undefined) throw new TypeError(`source ${name} must be known.`);
      return {
        ...receivingOf(ingress),
        on(handler, call) {
          requireHandlerFunction(handler, call);
          works.get(name)?.add({ [handler]: call });
        },
      };
    },
  };
}

/** Returns the other sources by the headers of their deliveries, which several can have in common. */
function headersOfOthers(name: string, sources: Sources): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, readonly string[]>();
  for (const [other, { headers }] of Object.entries(sources)) {
    if (other === name) continue;
    for (const header of headers) owners.set(header, [...(owners.get(header) ?? []), other]);
  }
  return owners;
}

/** Explains what a source refuses, if it can. */
function explainWith(source: Source, clock: Pick<Clock, 'now'>): ExplainRefusal | undefined {
  const explain = source.explain?.bind(source);
  return explain && (async (delivery) => explain(delivery, clock.now()));
}

function isPlatform(source: AnySource): source is PlatformSource {
  return !('verify' in source);
}

/** @throws {TypeError} When they are none. */
function requireSources(sources: unknown): void {
  optionsObject(sources, ['runs', 'stripe'], 'sources');
  const entries: readonly (readonly [string, unknown])[] = Object.entries(sources);
  if (entries.length === 0) throw new TypeError(mustBe('sources', 'at least one source', 'none'));
  for (const [name, source] of entries) {
    if (!SOURCE_NAME.test(name)) {
      const expected = '1 to 64 letters, digits, _ and -';
      throw new TypeError(mustBe('The name of a source', expected, JSON.stringify(name)));
    }
    const isSource =
      typeof source === 'object' && source !== null && ('verify' in source || 'ingress' in source);
    if (isSource) {
      if ('verify' in source) requireSource(name, source);
      continue;
    }
    const expected = 'a source, such as platform({ secrets }) or stripe({ secrets })';
    throw new TypeError(mustBe(`sources.${name}`, expected, typeof source));
  }
}
