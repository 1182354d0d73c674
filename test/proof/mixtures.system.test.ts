import { firstMixtures, proveMixtures } from './prove.ts';

/** The long tests prove the others. */
proveMixtures((['api', 'sender', 'receiver'] as const).flatMap(firstMixtures));
