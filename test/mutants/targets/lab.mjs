// Starts servers of one build or another on virtual clocks as its parent asks for them, and ends with it.

const servers = new Map();

async function start(number, { room, folder, now, patienceMilliseconds, ...options }) {
  const { createServer, virtualClock } = await import(room);
  const store = folder === undefined ? { kind: 'memory' } : { kind: 'folder', path: folder };
  const clock = virtualClock({ now, patienceMilliseconds });
  const server = await createServer({ store, clock, ...options });
  servers.set(number, server);
  const { baseUrl, controlUrl, controlToken } = server;
  return { baseUrl, controlUrl, controlToken };
}

async function answer({ number, options }) {
  try {
    const started = options === undefined ? null : await start(number, options);
    if (started === null) await servers.get(number)?.close();
    process.send({ number, started });
  } catch (error) {
    process.send({ number, failure: String(error) });
  }
}

process.on('disconnect', () => process.exit());
process.on('message', (message) => void answer(message));
