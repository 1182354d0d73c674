/**
 * Whether another process has this id. Signal 0 only asks whether it exists. In a container, a run often has the id of
 * the one before it, so that this process itself does not count.
 */
export function isRunning(processId: number): boolean {
  if (processId === process.pid) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
