/** What the store uses of a client of `ioredis`. */
export interface IoredisClient {
  /** `ready` when commands can be sent. */
  readonly status: string;
  /** True for a client of a cluster. */
  readonly isCluster: boolean;
  /** Sends a command. Texts of the reply are Buffers. */
  callBuffer(command: string, args: (string | Buffer)[]): Promise<unknown>;
  /** Opens another connection, to listen. */
  duplicate(options?: object): IoredisClient;
  /** Listens to a channel. */
  subscribe(channel: string): Promise<unknown>;
  /** Adds a listener for messages, errors and the state of the connection. */
  on(event: string, listener: (channel: string, message: string) => void): unknown;
  /** Removes it. */
  off(event: string, listener: (channel: string, message: string) => void): unknown;
  /** Closes the connection. The store closes only those that it opened. */
  disconnect(): void;
}

/** What the store uses of a client of `redis`. */
export interface NodeRedisClient {
  /** True when commands can be sent. */
  readonly isReady: boolean;
  /** Sends a command. */
  sendCommand(
    args: readonly (string | Buffer)[],
    options?: {
      /** Makes texts of the reply Buffers. */
      readonly typeMapping?: Readonly<Record<number, unknown>>;
    },
  ): Promise<unknown>;
  /** Makes a client for another connection, to listen. */
  duplicate(): NodeRedisClient;
  /** Opens its connection. */
  connect(): Promise<unknown>;
  /** Listens to a channel. */
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  /** Adds a listener for errors and the state of the connection. */
  on(event: string, listener: (channel: string, message: string) => void): unknown;
  /** Removes it. */
  off(event: string, listener: (channel: string, message: string) => void): unknown;
  /** Closes the connection. The store closes only those that it opened. */
  destroy(): void;
}

/** A client of `ioredis` (`new Redis(url)`) or of `redis` (`createClient({ url })`, connected). */
export type RedisClient = IoredisClient | NodeRedisClient;

/** One connection, whichever library it comes from. Texts of replies are Buffers. */
export interface Connection {
  isReady(): boolean;
  call(args: readonly (string | Buffer)[]): Promise<unknown>;
  /** Calls the listener each time the connection was lost. Returns a function that ends this. */
  onReconnecting(listener: () => void): () => void;
  /** Opens another connection to the same server. The caller ends it. */
  duplicate(): Promise<OwnConnection>;
}

/** A connection that the store opened itself. */
export interface OwnConnection extends Connection {
  subscribe(channel: string, listener: (message: string) => void): Promise<void>;
  end(): void;
}

/** Without a listener a lost connection ends the process. The client connects again by itself. */
const ignoreError = (): void => undefined;

/**
 * Returns the connection of a client.
 *
 * @throws {TypeError} When it is a client of another library, or of a cluster.
 */
export function connectionOf(client: RedisClient): Connection {
  const isObject = typeof client === 'object' && client !== null;
  if (isObject && (('isCluster' in client && client.isCluster) || 'masters' in client)) {
    throw new TypeError(
      'client must be connected to one Redis server, got a cluster. ' +
        'All keys of the store have one hash tag: connect to a server of its own.',
    );
  }
  if (isObject && 'callBuffer' in client) return ioredisConnection(client);
  if (isObject && 'sendCommand' in client && 'isReady' in client)
    return nodeRedisConnection(client);
  throw new TypeError(
    'client must be a client of ioredis or redis, got another value. ' +
      'Pass new Redis(url) of ioredis, or createClient({ url }) of redis.',
  );
}

function ioredisConnection(client: IoredisClient): OwnConnection {
  return {
    isReady: () => client.status === 'ready',
    call: ([command = '', ...args]) => client.callBuffer(String(command), args),
    onReconnecting: (listener) => listen(client, listener),
    async duplicate() {
      // ioredis does not catch its own subscription, so its failure at a disconnect would end the process.
      const copy = client.duplicate({ autoResubscribe: false });
      copy.on('error', ignoreError);
      return ioredisConnection(copy);
    },
    async subscribe(channel, listener) {
      client.on('message', (_channel: string, message: string) => listener(message));
      client.on('ready', () => void client.subscribe(channel).catch(ignoreError));
      await client.subscribe(channel);
    },
    end: () => client.disconnect(),
  };
}

/** The replies of type `$` as Buffers, and those of type `%` as flat arrays. */
const TYPE_MAPPING = { 36: Buffer, 37: Array };

function nodeRedisConnection(client: NodeRedisClient): OwnConnection {
  return {
    isReady: () => client.isReady,
    call: (args) => client.sendCommand(args, { typeMapping: TYPE_MAPPING }),
    onReconnecting: (listener) => listen(client, listener),
    async duplicate() {
      const copy = client.duplicate();
      copy.on('error', ignoreError);
      await copy.connect();
      return nodeRedisConnection(copy);
    },
    async subscribe(channel, listener) {
      await client.subscribe(channel, listener);
    },
    end: () => client.destroy(),
  };
}

function listen(client: RedisClient, listener: () => void): () => void {
  client.on('reconnecting', listener);
  return () => void client.off('reconnecting', listener);
}
