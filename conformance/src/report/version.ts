import { readFileSync } from 'node:fs';

const manifest: { readonly name: string; readonly version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** Which suite judged. */
export const SUITE: { readonly name: string; readonly version: string } = {
  name: manifest.name,
  version: manifest.version,
};
