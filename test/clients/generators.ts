import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { createClient } from '@hey-api/openapi-ts';
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

/** Generates one function for each operation with @hey-api/openapi-ts. */
export const generateFunctions: Generate = async (document, folder) => {
  await createClient({
    input: fileURLToPath(document),
    output: { path: path.join(folder, 'generated'), importFileExtension: '.js' },
    plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
    logs: { level: 'silent' },
  });
};
