/**
 * Calls a function when standard output has no reader any more, as after `| head -1`: the first line that cannot be
 * written tells. Returns a function that ends this.
 */
export function onClosedOutput(end: () => void): () => void {
  const look = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'EPIPE') end();
  };
  process.stdout.on('error', look);
  return () => process.stdout.off('error', look);
}
