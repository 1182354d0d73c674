import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import draft4 from 'ajv-draft-04';
import formats from 'ajv-formats';
import { validateXML } from 'xmllint-wasm';

const JUNIT = readFileSync(new URL('schemas/jenkins-junit.xsd', import.meta.url), 'utf8');
const SARIF = createRequire(import.meta.url).resolve(
  '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
);

const ajv = new draft4.default({ strict: false, allErrors: true, unicodeRegExp: false });
formats.default(ajv);
const validateSarif = ajv.compile(JSON.parse(readFileSync(SARIF, 'utf8')));

/** What libxml2 says against XML documents: their form, and with the schema also their content. */
export async function xmlFaults(
  documents: Readonly<Record<string, string>>,
  rules: 'junit' | 'form',
): Promise<string[]> {
  const xml = Object.entries(documents).map(([fileName, contents]) => ({ fileName, contents }));
  const { errors } = await validateXML(
    rules === 'junit' ? { xml, schema: [JUNIT] } : { xml, normalization: 'c14n' },
  );
  return errors.map(({ rawMessage }) => rawMessage);
}

/** The violations of the SARIF 2.1.0 schema. */
export function sarifFaults(text: string): string[] {
  validateSarif(JSON.parse(text));
  return (validateSarif.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message}`,
  );
}
