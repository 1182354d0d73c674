import type { DeliveryRow } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { now } from '../../live/clock.ts';
import { Chip, duration, shortId, Time } from '../../parts/values.tsx';
import type { Tone } from '../../parts/values.tsx';
import type { Searchable } from '../../parts/list/search.ts';
import { STATUSES } from './filters.ts';

/** The cells of a delivery in the list. */
export function DeliveryCells({ row }: { readonly row: DeliveryRow }): JSX.Element {
  const { createdAt, runId, automationSlug, url, attemptCount, lastAttempt } = row;
  const { tone, text } = resultOf(row);
  return (
    <>
      <Time iso={createdAt} />
      <EventName {...row} />
      <RunName runId={runId} automationSlug={automationSlug} />
      <span class="id endpoint" title={url ?? undefined}>
        {url === null ? 'deleted endpoint' : shortUrl(url)}
      </span>
      <span class="result">
        <Chip tone={tone} text={text} />
        {lastAttempt?.deliveryFault != null && (
          <Chip tone="plain" text={lastAttempt.deliveryFault} />
        )}
      </span>
      <span class="tries" title={`${attemptCount} attempts`}>
        {attemptCount}
      </span>
    </>
  );
}

function RunName({
  runId,
  automationSlug,
}: Pick<DeliveryRow, 'runId' | 'automationSlug'>): JSX.Element {
  if (runId === null) return <span class="run">test event</span>;
  return (
    <span class="run" title={runId}>
      <span>{automationSlug ?? 'deleted automation'}</span> <span class="id">{shortId(runId)}</span>
    </span>
  );
}

/** The type of an event and the status that its run has in it. */
export function EventName({
  type,
  runStatus,
}: Pick<DeliveryRow, 'type' | 'runStatus'>): JSX.Element {
  return (
    <span class="event">
      {runStatus === null ? <b>{type}</b> : <b>{runStatus}</b>}
      {runStatus !== null && <span class="type">{type}</span>}
    </span>
  );
}

/** What the search compares. `status:` takes the name of a tab, or the status of a response. */
export function searchable(row: DeliveryRow): Searchable {
  const { id, eventId, runId, automationSlug, endpointId, url, type } = row;
  const { runStatus, lastAttempt, status } = row;
  const response = lastAttempt?.status ?? lastAttempt?.error ?? '';
  const name = STATUSES.find((one) => one.status === status)?.name ?? '';
  return {
    text: [url, type, runStatus, automationSlug, response].join(' '),
    ids: [id, eventId, runId ?? '', endpointId],
    fields: {
      status: `${name} ${response}`,
      endpoint: `${endpointId} ${url ?? ''}`,
      run: `${runId ?? ''} ${automationSlug ?? ''} ${runStatus ?? ''}`,
    },
  };
}

interface Result {
  readonly tone: Tone;
  readonly text: string;
}

/** Returns the state of a delivery at a glance. */
export function resultOf({ status, lastAttempt, nextAttemptAt, endReason }: DeliveryRow): Result {
  if (lastAttempt === null) {
    return { tone: 'wait', text: status === 'pending' ? 'waiting' : (endReason ?? status) };
  }
  const response = lastAttempt.status ?? errorWord(lastAttempt.error);
  if (status === 'delivered') {
    return { tone: 'good', text: `${response} · ${duration(lastAttempt.milliseconds)}` };
  }
  if (status === 'ended') {
    return { tone: 'bad', text: `${response} · ${END_WORDS[endReason ?? ''] ?? endReason}` };
  }
  if (nextAttemptAt === null) return { tone: 'wait', text: `${response} · retry now` };
  const wait = Math.max(0, Date.parse(nextAttemptAt) - now.value);
  return {
    tone: 'wait',
    text: `${response} · next in ${duration(Math.ceil(wait / 1_000) * 1_000)}`,
  };
}

const END_WORDS: Readonly<Record<string, string>> = {
  final_status: 'not retried',
  redirect_not_followed: 'redirect not followed',
  attempts_exhausted: 'gave up',
  target_refused: 'target refused',
  endpoint_disabled: 'endpoint disabled',
  endpoint_deleted: 'endpoint deleted',
};

/** Returns a plain word for a failure of the network. */
export function errorWord(error: string | null): string {
  if (error === null) return 'no response';
  return ERROR_WORDS[error] ?? error;
}

const ERROR_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ENOTFOUND: 'unknown host',
};

/** Returns a URL without its protocol and query. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\?.*$/s, '');
}
