import { furtherMixtures, proveMixtures } from './prove.ts';

// The sides that wait come first, so that processors are busy until the end.
proveMixtures((['sender', 'receiver', 'api'] as const).flatMap(furtherMixtures));
