import { headerValue, isRecord, operationOf, parseJson } from '@hookproof/conformance/hooks';
import type { Hooks, Incoming, Outgoing } from '@hookproof/conformance/hooks';
import type { Operation } from '@hookproof/spec/openapi';

/** The keys of one tenant and of its neighbor, by the names of the control interface, `wildcard` first of all. */
export type Keyring = Readonly<Record<string, string>>;

/** What a transformation may know about its run. The exchanges of the run reveal it. */
export interface Knowledge {
  /** The operation of the contract that a request is for; null for another path. */
  readonly operationOf: (request: Pick<Outgoing, 'method' | 'url'>) => Operation | null;
  /** The key with which a request for this path has last succeeded, or the wildcard key of the world that has an id in it. */
  readonly keyFor: (url: string) => string | undefined;
  /** Whether a world has this value as an id or as the path of a file. */
  readonly isKnownId: (value: string) => boolean;
  /** Every known key. */
  readonly keys: readonly string[];
  /** A fixture of the world with this wildcard key; undefined for an unknown one, or none. */
  readonly fixtureOf: (key: string | undefined, name: string) => string | undefined;
  /** The keys of the world that has this key; undefined for an unknown one. */
  readonly keyringOf: (key: string) => Keyring | undefined;
  /** The last 2xx response to a request of this method for this path. */
  readonly lastSuccess: (request: Pick<Outgoing, 'method' | 'url'>) => Incoming | undefined;
  /** The secret that signs deliveries to this URL; undefined for an unknown endpoint. */
  readonly secretOf: (url: string) => string | undefined;
  /** The secret of the receiver under test; undefined when none is tested. */
  readonly receiverSecret: string | undefined;
  /** A number from 0 up to 1; the same sequence for the same seed. */
  readonly random: () => number;
}

/** What the options of a run tell its transformations. */
export interface KnownFromOptions {
  readonly keys: Keyring;
  readonly receiverSecret: string | undefined;
  readonly random: () => number;
}

/** Knowledge, and the hooks nearest to the target, which collect it. */
export function gatherKnowledge(known: KnownFromOptions): {
  readonly knowledge: Knowledge;
  readonly hooks: Hooks;
} {
  const keyrings: Keyring[] = [known.keys];
  const keys = new Map<string, string>();
  const successes = new Map<string, Incoming>();
  const secrets = new Map<string, string>();
  const owners = new Map<string, string>();
  const fixturesByKey = new Map<string, Readonly<Record<string, string>>>();

  // File paths occur in every world, ids in one.
  const ownerIn = (path: string): string | undefined =>
    path
      .split('/')
      .map((part) => (part.includes('_') ? owners.get(decodeURIComponent(part)) : undefined))
      .find((key) => key !== undefined);
  const noteApi = (request: Outgoing, response: Incoming): void => {
    if (response.status > 299) return;
    successes.set(`${request.method} ${pathOf(request.url)}`, response);
    const key = bearerOf(request);
    if (key !== undefined) keys.set(pathOf(request.url), key);
  };
  const noteControl = (request: Outgoing, response: Incoming): void => {
    const body = parseJson(Buffer.from(response.bytes).toString('utf8'));
    if (!isRecord(body)) return;
    if (isRecord(body['keys'])) {
      const ring = stringsOf(body['keys']);
      keyrings.push(ring);
      const fixtures = isRecord(body['fixtures']) ? stringsOf(body['fixtures']) : {};
      fixturesByKey.set(ring['wildcard'] ?? '', fixtures);
      for (const id of Object.values(fixtures)) owners.set(id, ring['wildcard'] ?? '');
    }
    const { url, secret } = { ...bodyOf(request), ...body };
    if (typeof url !== 'string' || typeof secret !== 'string') return;
    // Behind a tunnel, a delivery arrives under another origin.
    secrets.set(url, secret).set(pathOf(url), secret);
  };
  return {
    knowledge: {
      operationOf,
      keyFor: (url) => keys.get(pathOf(url)) ?? ownerIn(pathOf(url)),
      isKnownId: (value) => owners.has(value),
      get keys() {
        return keyrings.flatMap((ring) => Object.values(ring));
      },
      fixtureOf: (key, name) => fixturesByKey.get(key ?? '')?.[name],
      keyringOf: (key) => keyrings.findLast((ring) => Object.values(ring).includes(key)),
      lastSuccess: ({ method, url }) => successes.get(`${method} ${pathOf(url)}`),
      secretOf: (url) => secrets.get(url) ?? secrets.get(pathOf(url)),
      receiverSecret: known.receiverSecret,
      random: known.random,
    },
    hooks: {
      api: noting(noteApi),
      control: noting(noteControl),
    },
  };
}

function noting(note: (request: Outgoing, response: Incoming) => void): Hooks['api'] & {} {
  return async (request, next) => {
    const response = await next(request);
    note(request, response);
    return response;
  };
}

/** The key of a request; undefined without one. */
export function bearerOf({ headers }: Pick<Outgoing, 'headers'>): string | undefined {
  return /^Bearer (.+)$/i.exec(headerValue(headers, 'authorization') ?? '')?.[1];
}

function bodyOf({ body }: Outgoing): object {
  const json = parseJson(Buffer.from(body ?? []).toString('utf8'));
  return isRecord(json) ? json : {};
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}

function stringsOf(record: Readonly<Record<string, unknown>>): Keyring {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}
