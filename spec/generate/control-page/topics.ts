/** A page about some operations of the control interface. */
export interface Topic {
  readonly title: string;
  /** From the folder of the reference server. */
  readonly page: string;
  /** The tags of its operations in `control.yaml`. */
  readonly tags: readonly string[];
}

/** An object that several topics use is described in the first of them. */
export const TOPICS: readonly Topic[] = [
  { title: 'Worlds and keys', page: 'docs/control/worlds.md', tags: ['Worlds', 'Keys'] },
  { title: 'Runs', page: 'docs/control/runs.md', tags: ['Runs'] },
  {
    title: 'Webhooks',
    page: 'docs/control/webhooks.md',
    tags: ['Webhook endpoints', 'Events', 'Deliveries'],
  },
  {
    title: 'Faults and limits',
    page: 'docs/control/faults.md',
    tags: ['Delivery faults', 'API faults', 'Faults', 'Limits'],
  },
  {
    title: 'Requests, time and the stream',
    page: 'docs/control/time.md',
    tags: ['Requests', 'Time', 'Stream'],
  },
];
