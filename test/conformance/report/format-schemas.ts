import { readFileSync } from 'node:fs';

import { validateXML } from 'xmllint-wasm';

const JUNIT = readFileSync(new URL('schemas/jenkins-junit.xsd', import.meta.url), 'utf8');

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
