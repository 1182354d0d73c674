/** A request that has passed the guard and its schema. */
export interface ControlRequest<Body> {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

export interface ControlAnswer {
  readonly status: number;
  /** Absent for 204. */
  readonly body?: object;
}

/** One operation of the control interface. */
export interface ControlRoute<Body = never> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the prefix, for example `/runs/:runId`. */
  readonly path: string;
  /** The query parameters it knows. */
  readonly query?: readonly string[];
  /** JSON Schema that the body must pass; without it no body is read. */
  readonly bodySchema?: Readonly<Record<string, unknown>>;
  handle(request: ControlRequest<Body>): Promise<ControlAnswer>;
}
