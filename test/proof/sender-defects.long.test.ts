import { defects } from '@hookproof/conformance/proof';

import { proveDefects } from './prove.ts';

proveDefects(defects.filter(({ side }) => side === 'sender'));
