import nock from 'nock';

/** Replaces the network. Test files share one process, and an earlier file may have restored it. */
export function startNock(): void {
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
}

export function stopNock(): void {
  nock.cleanAll();
  nock.enableNetConnect();
  nock.restore();
}
