/** Whether a host of a URL is this machine by its name alone. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.[0-9.]+|\[::1\])$/.test(host);
}
