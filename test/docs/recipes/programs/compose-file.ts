import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

/** A service of `compose.yaml`, with the members that the pages use. */
export interface Service {
  readonly name: string;
  /** The name of the image, without its version: `postgres`. */
  readonly image: string;
  readonly command: string | null;
  readonly environment: Readonly<Record<string, string>>;
  /** A shell command that exits with 0 when the service works. */
  readonly healthcheck: string | null;
}

interface ComposeService {
  readonly image: string;
  readonly command?: string;
  readonly environment?: Record<string, string | number>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly working_dir?: string;
  readonly depends_on?: Record<string, { readonly condition: string }>;
  readonly healthcheck?: { readonly test: string; readonly interval: string };
}

/** What a page can use. A member of another name would be ignored here and not by Docker. */
const MEMBERS = new Set([
  'image',
  'command',
  'environment',
  'ports',
  'volumes',
  'working_dir',
  'depends_on',
  'healthcheck',
]);

/** Reads the services of `compose.yaml` in the current folder, each after those that it depends on. */
export function readServices(): readonly Service[] {
  const file: { services: Record<string, ComposeService> } = parse(
    readFileSync('compose.yaml', 'utf8'),
  );
  const ordered: string[] = [];
  const add = (name: string): void => {
    if (ordered.includes(name)) return;
    Object.keys(file.services[name]?.depends_on ?? {}).forEach(add);
    ordered.push(name);
  };
  Object.keys(file.services).forEach(add);
  return ordered.map((name) => serviceOf(name, file.services[name]));
}

function serviceOf(name: string, service: ComposeService | undefined): Service {
  if (service === undefined) throw new Error(`depends_on must name a service, got ${name}.`);
  const unknown = Object.keys(service).filter((member) => !MEMBERS.has(member));
  if (unknown.length > 0) throw new Error(`${name} must use known members, got ${unknown.join()}.`);
  for (const port of service.ports ?? []) {
    if (!/^127\.0\.0\.1:(\d+):\1$/.test(port)) {
      throw new Error(`A port must be 127.0.0.1:PORT:PORT with one number, got ${port}.`);
    }
  }
  const environment = Object.entries(service.environment ?? {}).map(
    ([variable, value]) => [variable, String(value)] as const,
  );
  return {
    name,
    image: service.image.replace(/:.*/, ''),
    command: service.command ?? null,
    environment: Object.fromEntries(environment),
    healthcheck: service.healthcheck?.test ?? null,
  };
}
