import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(import.meta.url);

/** The project's root, from a source and from its compiled form alike. */
export const ROOT: string = HERE.slice(0, HERE.lastIndexOf(`${sep}docs${sep}generate${sep}`));
