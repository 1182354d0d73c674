import * as fc from 'fast-check';

// The first counterexample kills a mutant, so that none is shrunk. A property that finds none within a second
// would find none later: the mutant survives.
fc.configureGlobal({ endOnFailure: true, interruptAfterTimeLimit: 1_000 });
