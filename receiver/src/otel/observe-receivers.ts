import { knownOptions } from '../argument-checks.ts';
import { realClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import {
  ACCEPT_CHANNEL,
  FETCH_RUN_CHANNEL,
  HANDLE_CHANNEL,
  PROBLEM_CHANNEL,
  RECEIVE_CHANNEL,
} from '../diagnostics.ts';
import type { Enclosing, Tracing } from '../diagnostics.ts';
import { acceptLabels, fetchRunLabels, handleLabels, receiveLabels } from './labels.ts';
import type { Labels } from './labels.ts';
import type { Histogram, OpenTelemetryApi, Span } from './open-telemetry-api.ts';

export interface ObserveOptions {
  /** Measures durations. Default: the clock of the machine. */
  readonly clock?: Pick<Clock, 'monotonic'>;
}

const SCOPE = '@hookproof/receiver';
const SPAN_KIND_INTERNAL = 0;
const SPAN_KIND_CONSUMER = 4;
const STATUS_ERROR = 2;
/** Upper bounds of the buckets in seconds. */
const BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60,
];

/**
 * Makes OpenTelemetry spans and metrics of every receiver of the process, from now until the
 * returned function is called. Attributes have few values: codes, stages, handlers, outcomes. They
 * never contain an id, a payload, a secret or the message of an error.
 *
 * Spans: `hookproof receive`, `hookproof accept`, `hookproof handle`, `hookproof fetch_run`. A span
 * of a handler is the parent of the spans that the handler makes. Histograms in seconds:
 * `hookproof.receive.duration`, `hookproof.accept.duration`, `hookproof.handle.duration`,
 * `hookproof.fetch_run.duration`. Counter: `hookproof.problems`.
 *
 * @param api The module `@opentelemetry/api`, after its SDK is registered.
 * @example
 * ```ts
 * import * as api from '@opentelemetry/api';
 * import { observeReceivers } from '@hookproof/receiver/otel';
 *
 * export const stopObserving = observeReceivers(api);
 * ```
 */
export function observeReceivers(api: OpenTelemetryApi, options: ObserveOptions = {}): () => void {
  if (typeof api?.trace?.getTracer !== 'function') {
    throw new TypeError(
      'api must be the module @opentelemetry/api, got another value. Pass it whole: import * as api.',
    );
  }
  knownOptions(options, ['clock']);
  const { clock = realClock() } = options;
  const meter = api.metrics.getMeter(SCOPE);
  const durations = (name: string, description: string): Histogram =>
    meter.createHistogram(`hookproof.${name}.duration`, {
      description,
      unit: 's',
      advice: { explicitBucketBoundaries: BUCKETS },
    });
  const observer = { api, clock };
  const stops = [
    observe(RECEIVE_CHANNEL, receiveLabels, {
      ...observer,
      name: 'receive',
      kind: SPAN_KIND_INTERNAL,
      histogram: durations('receive', 'Time from a request to its response'),
    }),
    observe(ACCEPT_CHANNEL, acceptLabels, {
      ...observer,
      name: 'accept',
      kind: SPAN_KIND_INTERNAL,
      histogram: durations('accept', 'Time of the durable write of one event'),
    }),
    observe(HANDLE_CHANNEL, handleLabels, {
      ...observer,
      name: 'handle',
      kind: SPAN_KIND_CONSUMER,
      histogram: durations('handle', 'Time of one attempt to handle one event'),
    }),
    observe(FETCH_RUN_CHANNEL, fetchRunLabels, {
      ...observer,
      name: 'fetch_run',
      kind: SPAN_KIND_INTERNAL,
      histogram: durations('fetch_run', 'Time of one call of fetchRun'),
    }),
    countProblems(api),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

interface Observer {
  readonly api: OpenTelemetryApi;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly name: string;
  readonly kind: number;
  readonly histogram: Histogram;
}

/** Makes a span and a measurement of each work of one channel. */
function observe<Message extends object>(
  tracing: Tracing<Message>,
  labelsOf: (message: Message) => Labels,
  { api, clock, name, kind, histogram }: Observer,
): () => void {
  const tracer = api.trace.getTracer(SCOPE);
  const started = new WeakMap<object, { readonly span: Span; readonly at: number }>();
  const subscriber = {
    start(message: Message & Enclosing): void {
      const span = tracer.startSpan(`hookproof ${name}`, { kind });
      const context = api.trace.setSpan(api.context.active(), span);
      const { enclose } = message;
      message.enclose = (work) => api.context.with(context, () => enclose(work));
      started.set(message, { span, at: clock.monotonic() });
    },
    asyncEnd(message: Message): void {
      const work = started.get(message);
      if (work === undefined) return;
      const { attributes, isError } = labelsOf(message);
      work.span.setAttributes(attributes);
      if (isError) work.span.setStatus({ code: STATUS_ERROR });
      work.span.end();
      histogram.record((clock.monotonic() - work.at) / 1000, attributes);
    },
    end: ignore,
    asyncStart: ignore,
    error: ignore,
  };
  tracing.subscribe(subscriber);
  return () => tracing.unsubscribe(subscriber);
}

function ignore(): void {
  // The start and the end say everything.
}

function countProblems({ metrics }: OpenTelemetryApi): () => void {
  const counter = metrics
    .getMeter(SCOPE)
    .createCounter('hookproof.problems', { description: 'Problems, as reported to onError' });
  const count = (message: unknown): void => counter.add(1, { 'hookproof.code': codeOf(message) });
  PROBLEM_CHANNEL.subscribe(count);
  return () => PROBLEM_CHANNEL.unsubscribe(count);
}

function codeOf(message: unknown): string {
  const isProblem = typeof message === 'object' && message !== null && 'code' in message;
  return isProblem ? String(message.code) : 'unknown';
}
