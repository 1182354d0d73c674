import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

/** Generates a client of a bundled document into the folder `generated` of a package. */
export type Generate = (document: URL, folder: string) => Promise<void>;

const BLOB = ts.factory.createTypeReferenceNode('Blob');

/** Generates types with openapi-typescript. */
export const generateTypes: Generate = async (document, folder) => {
  const nodes = await openapiTS(JSON.parse(await readFile(document, 'utf8')), {
    transform: (schema) => (schema.format === 'binary' ? BLOB : undefined),
  });
  await mkdir(path.join(folder, 'generated'));
  await writeFile(path.join(folder, 'generated/openapi.ts'), astToString(nodes));
};
