import { endsWithinBounds, LIKE_THEM } from './hostile-targets.ts';

endsWithinBounds('from the first request', LIKE_THEM);
