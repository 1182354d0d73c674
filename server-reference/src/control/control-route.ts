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

/** What answers one operation of the control interface. */
export interface ControlRoute<Body = never> {
  /** Of `control.yaml`, which has the method, the path, the query parameters and the schema of the body. */
  readonly operationId: string;
  handle(request: ControlRequest<Body>): Promise<ControlAnswer>;
}
