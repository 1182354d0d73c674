import { context, metrics, trace } from '@opentelemetry/api';
import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { observeReceivers } from '@hookproof/receiver/otel';
import { runTimeline, testReceiver, virtualClock } from '@hookproof/receiver/testing';
import type { TestReceiver, TestReceiverOptions } from '@hookproof/receiver/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const spans = new InMemorySpanExporter();
let points: InMemoryMetricExporter;
let reader: PeriodicExportingMetricReader;
let stop: () => void;
const clock = virtualClock();

beforeEach(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  reader = new PeriodicExportingMetricReader({
    exporter: points,
    exportIntervalMillis: 3_600_000,
    exportTimeoutMillis: 1_000,
  });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  stop = observeReceivers(api, { clock });
});

afterEach(async () => {
  stop();
  await reader.shutdown();
  spans.reset();
  context.disable();
  trace.disable();
  metrics.disable();
});

async function started(options?: TestReceiverOptions): Promise<TestReceiver> {
  const app = await testReceiver(options);
  onTestFinished(() => app.close());
  return app;
}

const finished = (name: string): ReadableSpan[] =>
  spans.getFinishedSpans().filter((span) => span.name === `hookproof ${name}`);

/** Returns the data points of a metric as pairs of attributes and value. */
async function measured(name: string) {
  await reader.forceFlush();
  const all =
    points
      .getMetrics()
      .at(-1)
      ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
  const metric = all.find(({ descriptor }) => descriptor.name === `hookproof.${name}`);
  return (
    metric?.dataPoints.map(({ attributes, value }) => ({
      attributes,
      value: typeof value === 'object' && 'count' in value ? value.count : value,
    })) ?? []
  );
}

const run = runTimeline(['pending', 'running', 'completed']);

describe('observeReceivers', () => {
  it('makes spans of a delivery and of its handling', async () => {
    const app = await started({ mode: 'ordered' });
    await app.deliver(run.slice(0, 1), { copies: 2 });
    expect(finished('receive').map(({ attributes }) => attributes)).toEqual([
      {
        'hookproof.code': 'accepted',
        'http.response.status_code': 202,
        'hookproof.secret_index': 0,
      },
      {
        'hookproof.code': 'duplicate',
        'http.response.status_code': 200,
        'hookproof.secret_index': 0,
      },
    ]);
    expect(finished('accept').map(({ attributes }) => attributes)).toEqual([
      { 'hookproof.kind': 'run', 'hookproof.outcome': 'new' },
      { 'hookproof.kind': 'run', 'hookproof.outcome': 'duplicate' },
    ]);
    expect(finished('handle').map(({ attributes }) => attributes)).toEqual([
      {
        'hookproof.handler': 'pending',
        'hookproof.outcome': 'handled',
        'hookproof.order': expect.any(String),
        'hookproof.retry': false,
        'hookproof.replay': false,
      },
    ]);
    const [receive] = finished('receive');
    const [accept] = finished('accept');
    expect(accept?.parentSpanContext?.spanId).toBe(receive?.spanContext().spanId);
    expect(receive?.status.code).toBe(api.SpanStatusCode.UNSET);
  });

  it('is the parent of spans that a handler makes, and the child of the request', async () => {
    const tracer = trace.getTracer('the app');
    const app = await started({
      handlers: { pending: () => tracer.startSpan('query').end() },
    });
    await tracer.startActiveSpan('POST /webhooks', async (request) => {
      await app.deliver(run.slice(0, 1));
      request.end();
    });
    const byName = new Map(spans.getFinishedSpans().map((span) => [span.name, span] as const));
    const parentOf = (name: string) => byName.get(name)?.parentSpanContext?.spanId;
    expect(parentOf('query')).toBe(byName.get('hookproof handle')?.spanContext().spanId);
    expect(parentOf('hookproof receive')).toBe(byName.get('POST /webhooks')?.spanContext().spanId);
  });

  it('names the stage of a refusal', async () => {
    const app = await started();
    await app.deliver(run.slice(0, 1), { firstAttempt: { secret: 'whsec_other' } });
    await app.deliver(run.slice(0, 1), { firstAttempt: { timestampOffsetSeconds: 400 } });
    expect(finished('receive').map(({ attributes }) => attributes)).toMatchObject([
      { 'hookproof.code': 'signature_mismatch', 'hookproof.stage': 'signature' },
      { 'hookproof.code': 'timestamp_too_new', 'hookproof.stage': 'freshness' },
      { 'hookproof.code': 'accepted' },
    ]);
  });

  it('marks failures without their message', async () => {
    const app = await started({
      retryForHours: 0.0001,
      fetchRun: () => Promise.reject(new Error('secret of the API')),
      handlers: {
        running() {
          throw new Error('secret of the handler');
        },
      },
    });
    const [, , last] = structuredClone(run);
    if (last !== undefined) last.data.run.outputOmitted = true;
    await app.deliver(last === undefined ? [] : [...run.slice(0, 2), last]);
    const failed = [...finished('handle'), ...finished('fetch_run')].filter(
      ({ status }) => status.code === api.SpanStatusCode.ERROR,
    );
    expect(failed.map(({ name, attributes }) => [name, attributes['hookproof.retry']])).toEqual([
      ['hookproof handle', false],
      ['hookproof handle', false],
      ['hookproof handle', true],
      ['hookproof handle', true],
      ['hookproof fetch_run', undefined],
      ['hookproof fetch_run', undefined],
    ]);
    expect(finished('fetch_run')[0]?.attributes).toEqual({
      'hookproof.purpose': 'output',
      'hookproof.outcome': 'failed',
    });
    const written = JSON.stringify(
      spans
        .getFinishedSpans()
        .map(({ attributes, events, status }) => [attributes, events, status]),
    );
    expect(written).not.toContain('secret of');
  });

  it('measures durations in seconds, and counts every problem', async () => {
    const app = await started({
      retryForHours: 2 / 3_600,
      handlers: {
        async running() {
          await clock.advance(250);
          throw new Error('never');
        },
      },
    });
    await app.deliver(run.slice(0, 2));
    expect(await measured('receive.duration')).toEqual([
      { attributes: expect.objectContaining({ 'hookproof.code': 'accepted' }), value: 2 },
    ]);
    const failed = (await measured('handle.duration')).filter(
      ({ attributes }) => attributes['hookproof.outcome'] === 'failed',
    );
    expect(failed.map(({ value }) => value)).toEqual([1, 2]);
    expect(finished('handle').at(-1)?.kind).toBe(api.SpanKind.CONSUMER);
    expect(await measured('problems')).toEqual([
      { attributes: { 'hookproof.code': 'handler_failed' }, value: 2 },
      { attributes: { 'hookproof.code': 'event_dead_lettered' }, value: 1 },
    ]);
  });

  it('uses words from short lists only', async () => {
    const app = await started();
    await app.deliver(run, { copies: 2, shuffleSeed: 3 });
    const values = spans.getFinishedSpans().flatMap(({ attributes }) => Object.values(attributes));
    for (const value of values) {
      expect(typeof value === 'string' ? value : 'word').toMatch(/^[a-z-]+(_[a-z]+)*$/);
    }
    expect(JSON.stringify(values)).not.toMatch(/whev|exec_1|wf_1/);
  });

  it('stops', async () => {
    stop();
    const app = await started();
    await app.deliver(run.slice(0, 1));
    expect(spans.getFinishedSpans()).toEqual([]);
  });
});
