import { Fragment } from 'preact';
import type { ComponentChildren, JSX } from 'preact';

import { now } from '../live/clock.ts';

/** What a chip says at a glance. */
export type Tone = 'good' | 'bad' | 'wait' | 'plain';

/** A short state, such as `200 · 12 ms`. */
export function Chip({ tone, text }: { readonly tone: Tone; readonly text: string }): JSX.Element {
  return <span class={`chip ${tone}`}>{text}</span>;
}

/** A time of day in UTC, as in the log of `serve`. Its title is the whole time. */
export function Time({ iso }: { readonly iso: string }): JSX.Element {
  return (
    <time dateTime={iso} title={iso}>
      {iso.slice(11, 23)}
    </time>
  );
}

/** Returns a duration that people read at a glance, such as `12 ms`, `3 s` or `2 h 5 min`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
}

/** Returns the end of an ID, which tells it from others on the page. */
export function shortId(id: string): string {
  return id.slice(-6);
}

/** Names and values of a detail. A value that is null is left out. */
export function Facts({
  of,
}: {
  readonly of: Readonly<Record<string, ComponentChildren>>;
}): JSX.Element {
  return (
    <dl class="facts">
      {Object.entries(of).map(([name, value]) =>
        value === null ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}

/** The time since a time, by the clock of the server. */
export function Age({ iso }: { readonly iso: string }): JSX.Element {
  const elapsed = Math.max(0, now.value - Date.parse(iso));
  return (
    <time dateTime={iso} title={iso}>
      {elapsed < 1_000 ? 'now' : duration(elapsed).replace(/(?<= h) .*/, '')}
    </time>
  );
}

interface NamedProps {
  readonly href: string;
  readonly name: string;
  readonly id: string;
}

/** A link by the name of what it opens, and the id after it. */
export function Named({ href, name, id }: NamedProps): JSX.Element {
  return (
    <>
      <a href={href}>{name}</a> <span class="id quiet">{id}</span>
    </>
  );
}
