import { defects } from '@hookproof/conformance/proof';

import { MIXTURES, proveDefects, proveMixtures } from './prove.ts';

/** The long tests prove the others too. */
const firstOfEach = new Map(defects.toReversed().map((defect) => [defect.breaks, defect]));

proveDefects([...firstOfEach.values()]);
proveMixtures(MIXTURES.filter(({ seed }) => seed <= 2));
