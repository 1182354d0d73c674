import type { RunStatus } from '@hookproof/spec';
import type { RunOrigin } from '@hookproof/spec/control';

/** What the suite asks for when it has no control interface, one step at a time. */
export type StepName =
  | 'create-endpoint'
  | 'create-run'
  | 'move-run'
  | 'send-test'
  | 'redeliver'
  | 'delete-endpoint';

/** One step, with everything that is known about its subject. */
export interface Step {
  readonly name: StepName;
  /** The URL of the suite's endpoint. */
  readonly url: string;
  /** The id of the endpoint, if its creation reported one. */
  readonly endpointId?: string;
  /** Custom headers for the new endpoint. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The new run. With `ending`, the run should progress to this status by itself or by later steps. */
  readonly run?: {
    readonly type: 'workflow' | 'agent';
    readonly origin: RunOrigin;
    readonly ending: RunStatus | null;
  };
  /** The run to move, or of which to send an event again. */
  readonly runId?: string;
  readonly status?: RunStatus;
  readonly eventId?: string;
}

/** What came of a step. `cannot`: it is impossible here, and checks that need it could not run. */
export type StepResult =
  | {
      readonly kind: 'done';
      readonly endpointId?: string;
      /** The secret of the new endpoint. Without it, signatures are not judged. */
      readonly secret?: string;
      /** Whether the new endpoint has the custom headers. Default: no. */
      readonly headers?: boolean;
      readonly runId?: string;
      /**
       * The origin of the new run, if the performer knows it. A run of another origin than `top-level` counts only with
       * it: an ordinary run in its place would be taken for a defect of the sender.
       */
      readonly origin?: RunOrigin;
      /** The id of the test event. */
      readonly eventId?: string;
      /** The statuses that the run has had since its creation, as far as the performer knows. */
      readonly statuses?: readonly RunStatus[];
    }
  | { readonly kind: 'cannot'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

/** Performs the steps of a run, one after the other. */
export interface StepPerformer {
  /** `signal` aborts when nobody waits for the step any longer. */
  perform(step: Step, signal?: AbortSignal): Promise<StepResult>;
  /** A person performs them: the suite asks for as few steps as possible. */
  readonly person: boolean;
}
