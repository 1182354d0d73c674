import { connect } from 'node:net';

const PROBE_MILLISECONDS = 1_000;

/** Returns why nothing listens at a URL, or null. Opens a connection, sends nothing and closes it. */
export function connectionProblem(text: string): Promise<string | null> {
  const { hostname, port, protocol } = new URL(text);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      timeout: PROBE_MILLISECONDS,
    });
    const end = (problem: string | null): void => {
      socket.destroy();
      resolve(problem);
    };
    socket.once('connect', () => end(null));
    socket.once('timeout', () => end('no connection within 1 s'));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
