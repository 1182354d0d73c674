export { nodeInbox } from '../adapters/node-inbox.ts';
export type { NodeInbox } from '../adapters/node-inbox.ts';
export { createInbox } from './inbox.ts';
export type { Inbox, InboxOptions } from './inbox.ts';
export type { InboxSource } from './source.ts';
export { deadLetterGroups } from './dead-letter-groups.ts';
export type { DeadLetterCause, DeadLetterGroup, DeadLetterGroups } from './dead-letter-groups.ts';
