import { defects, LEDGER } from '@hookproof/conformance/proof';
import type { Defect } from '@hookproof/conformance/proof';

import { MIXTURES, proveDefects, proveMixtures } from './prove.ts';

/** Every check finds at least one of these. The long tests prove the others too. */
function oneOfEachCheck(): Defect[] {
  const found = new Set<string>();
  return defects.filter(({ id }) => {
    const finders = LEDGER[id] ?? [];
    const isFirst = finders.some((check) => !found.has(check));
    for (const check of finders) found.add(check);
    return isFirst;
  });
}

proveDefects(oneOfEachCheck());
proveMixtures(MIXTURES.filter(({ seed }) => seed <= 2));
