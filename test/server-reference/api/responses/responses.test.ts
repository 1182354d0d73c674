import { describe } from 'vitest';

import { documentedPairs } from './documented-pairs.ts';
import { isUsual, produceEach } from './produce-response.ts';

describe('a documented success or 400', () => {
  produceEach(documentedPairs().filter(isUsual));
});
