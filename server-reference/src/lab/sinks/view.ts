import { isUtf8 } from 'node:buffer';

import { isoTime } from '../../clock/clock.ts';
import { differences } from './exchange.ts';
import type { Arrived, Exchange, SentPost } from './exchange.ts';
import type { Sink } from './sink.ts';

/** A sink as the control interface lists it. */
interface SinkSummary {
  readonly id: string;
  readonly url: string;
  readonly createdAt: string;
  readonly responses: Sink['script'];
  readonly arrived: number;
}

/** A sink with its exchanges. */
export interface SinkView extends SinkSummary {
  readonly exchanges: readonly ExchangeView[];
}

/** An exchange as the control interface shows it. */
export interface ExchangeView {
  readonly sent: SentView | null;
  readonly arrived: ArrivedView | null;
  readonly differs: readonly string[];
}

interface SentView {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly endpointId: string;
  readonly attempt: number | null;
  readonly deliveryFault: string | null;
  readonly at: string;
  readonly headers: Arrived['headers'];
  readonly body: string;
}

interface ArrivedView extends Omit<Arrived, 'at' | 'body'> {
  readonly at: string;
  readonly body?: string;
  /** Replaces `body` if the bytes are not UTF-8. */
  readonly bodyBase64?: string;
}

/** Returns a sink without its exchanges. */
export function summarise({ id, url, createdAt, script, arrived }: Sink): SinkSummary {
  return { id, url, createdAt: isoTime(createdAt), responses: script, arrived };
}

/** Returns a sink as the control interface shows it. */
export function sinkView(sink: Sink): SinkView {
  return { ...summarise(sink), exchanges: sink.exchanges.map(exchangeView) };
}

function exchangeView(exchange: Exchange): ExchangeView {
  const { sent, attempt, arrived } = exchange;
  return {
    sent: sent === null ? null : sentView(sent, attempt),
    arrived: arrived === null ? null : arrivedView(arrived),
    differs: differences(exchange),
  };
}

function sentView(sent: SentPost, attempt: number | null): SentView {
  const { deliveryId, eventId, endpointId, deliveryFault, startedAt, request } = sent;
  return {
    deliveryId,
    eventId,
    endpointId,
    attempt,
    deliveryFault,
    at: isoTime(startedAt),
    headers: Object.entries(request.headers),
    body: request.body.toString(),
  };
}

function arrivedView({ at, body, ...rest }: Arrived): ArrivedView {
  const shown = isUtf8(body) ? { body: body.toString() } : { bodyBase64: body.toString('base64') };
  return { ...rest, at: isoTime(at), ...shown };
}
