/** Name under which the events of one run are leased together. */
export function runWork(runId: string): string {
  return `run:${runId}`;
}

/** Name under which an event is leased while its run is not known. */
export function eventWork(eventId: string): string {
  return `event:${eventId}`;
}
