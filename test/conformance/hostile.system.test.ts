import { endsWithinBounds, FORMS } from './hostile-targets.ts';

endsWithinBounds('from the first request', FORMS);
endsWithinBounds('in place of every resource', FORMS);
