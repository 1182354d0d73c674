import * as fc from 'fast-check';

// A mutant is killed by the first counterexample: a smaller one would say no more.
fc.configureGlobal({ endOnFailure: true });
