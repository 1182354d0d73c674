import { StoreError } from '../store-error.ts';
import { listIn, pairsIn, textIn } from './replies.ts';
import type { ServerCalls } from './server-calls.ts';

/** The configuration that decides what a crash of the server loses. */
interface PersistenceSettings {
  readonly appendonly: string;
  readonly appendfsync: string;
  readonly 'no-appendfsync-on-rewrite': string;
  readonly maxmemory: string;
  readonly 'maxmemory-policy': string;
}

const NAMES = [
  'appendonly',
  'appendfsync',
  'no-appendfsync-on-rewrite',
  'maxmemory',
  'maxmemory-policy',
] as const;
const RELAX = "or accept the loss with durability: 'relaxed'.";

/**
 * Refuses a server that may forget accepted events, unless that is accepted.
 *
 * @throws {StoreError} `store_not_durable` when it may forget accepted events; `store_unavailable`
 *   when it is too old, a replica, or does not respond.
 */
export async function checkServer(calls: ServerCalls, isRelaxed: boolean): Promise<void> {
  const info = textIn(await calls.command(['INFO', 'server']));
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? '0';
  const major = Number(version.split('.')[0]);
  if (!(major >= 7)) {
    const text = `Redis must have version 7.0 or later, got ${version}.`;
    throw new StoreError('store_unavailable', `${text} Upgrade it.`);
  }
  const role = textIn(listIn(await calls.command(['ROLE']))[0]);
  if (role !== 'master') {
    const fix = 'Connect to the primary, such as with the Sentinel options of your client.';
    throw new StoreError('store_unavailable', `Redis must be a primary, got a ${role}. ${fix}`);
  }
  if (!isRelaxed) checkSettings(await readSettings(calls));
}

/** @throws {StoreError} `store_not_durable` with the setting to change. */
function checkSettings(settings: PersistenceSettings): void {
  const { appendonly, appendfsync, maxmemory } = settings;
  const policy = settings['maxmemory-policy'];
  // Keys of the store do not expire, so the policies for expiring keys evict none of them. Without a limit
  // of memory no policy does.
  if (policy.startsWith('allkeys') && Number(maxmemory) > 0) {
    throw notDurable('maxmemory-policy', 'noeviction', policy);
  }
  if (appendonly !== 'yes') throw notDurable('appendonly', 'yes', appendonly);
  if (appendfsync !== 'always') throw notDurable('appendfsync', 'always', appendfsync);
  if (settings['no-appendfsync-on-rewrite'] === 'yes') {
    throw notDurable('no-appendfsync-on-rewrite', 'no', 'yes');
  }
}

function notDurable(setting: string, expected: string, received: string): StoreError {
  const fix = `Set it in redis.conf, ${RELAX}`;
  const text = `Redis must keep accepted events: ${setting} must be ${expected}, got ${received}.`;
  return new StoreError('store_not_durable', `${text} ${fix}`);
}

async function readSettings(calls: ServerCalls): Promise<PersistenceSettings> {
  const settings = new Map<string, string>();
  try {
    const reply = pairsIn(await calls.command(['CONFIG', 'GET', ...NAMES]));
    for (const [name, value] of reply) settings.set(name, textIn(value));
  } catch (cause) {
    const isRefused = cause instanceof StoreError && /NOPERM|unknown command/i.test(cause.message);
    if (!isRefused) throw cause;
    const text =
      'Redis must show that it keeps accepted events: CONFIG GET must work, got a refusal.';
    const fix = `Allow it (ACL +config|get), ${RELAX}`;
    throw new StoreError('store_not_durable', `${text} ${fix}`, { cause });
  }
  const value = (name: (typeof NAMES)[number]): string => settings.get(name) ?? '';
  return {
    appendonly: value('appendonly'),
    appendfsync: value('appendfsync'),
    'no-appendfsync-on-rewrite': value('no-appendfsync-on-rewrite'),
    maxmemory: value('maxmemory'),
    'maxmemory-policy': value('maxmemory-policy'),
  };
}
