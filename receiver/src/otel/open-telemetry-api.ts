/** Values of attributes. */
export type Attributes = Record<string, string | number | boolean>;

/** The parts of a span that are used. */
export interface Span {
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { readonly code: number }): unknown;
  end(): void;
}

export interface Histogram {
  record(value: number, attributes: Attributes): void;
}

export interface Counter {
  add(value: number, attributes: Attributes): void;
}

/** The parts of the module `@opentelemetry/api` that are used; pass the module itself. */
export interface OpenTelemetryApi {
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string, options: { readonly kind: number }): Span;
    };
    setSpan(context: unknown, span: Span): unknown;
  };
  readonly metrics: {
    getMeter(name: string): {
      createHistogram(
        name: string,
        options: {
          readonly description: string;
          readonly unit: string;
          readonly advice: { readonly explicitBucketBoundaries: number[] };
        },
      ): Histogram;
      createCounter(name: string, options: { readonly description: string }): Counter;
    };
  };
  readonly context: {
    active(): unknown;
    with<Result>(context: unknown, work: () => Result): Result;
  };
}
