/** A receiver that listens. */
export interface RunningReceiver {
  readonly url: string;
  readonly observerUrl: string;
  close(): Promise<void>;
}
