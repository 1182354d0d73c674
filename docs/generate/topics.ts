/** A page of a module that is too long for one. */
export interface Topic {
  readonly title: string;
  readonly page: string;
  /** The files of its declarations. */
  readonly files: RegExp;
}

/** The first topic that fits describes a declaration; if none fits, the page of the module does. */
const TOPICS: Readonly<Record<string, readonly Topic[]>> = {
  '@hookproof/receiver': [
    {
      title: 'Receiver, processor and their options',
      page: 'receiver-create.md',
      files:
        /dist\/(?:create-receiver|clock|processing\/(?:processing|working-options)|runs\/(?:create-processor|processor|receiver-options|run-settings))\.d\.ts$/,
    },
    {
      title: 'Several sources',
      page: 'receiver-sources.md',
      files: /\/(?:sources\/.+|several-sources|runs\/platform)\.d\.ts$/,
    },
    {
      title: 'Requests and their verification',
      page: 'receiver-requests.md',
      files: /\/(?:receive\/.+|verify\/.+|runs\/create-ingress|runs\/sink)\.d\.ts$/,
    },
    {
      title: 'Handlers and events',
      page: 'receiver-handlers.md',
      files: /\/(?:runs|worker|generated|fetch-run)\//,
    },
    {
      title: 'Events as the inbox shows them',
      page: 'receiver-events.md',
      files: /\/(?:event-filter|stored-event|waiting-event)\.d\.ts$/,
    },
    { title: 'Stores', page: 'receiver-stores.md', files: /\/stores\// },
    {
      title: 'Problems and traces',
      page: 'receiver-problems.md',
      files: /\/(?:problems|diagnostics)\.d\.ts$/,
    },
  ],
};

/** Returns the topics of a module: none if it has one page. */
export function topicsOf(specifier: string): readonly Topic[] {
  return TOPICS[specifier] ?? [];
}
