import { describe } from 'vitest';

import { documentedPairs } from './documented-pairs.ts';
import { isUsual, produceEach } from './produce-response.ts';

describe('every other documented response', () => {
  produceEach(documentedPairs().filter((pair) => !isUsual(pair)));
});
