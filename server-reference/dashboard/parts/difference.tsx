import type { JSX } from 'preact';

interface DifferenceProps {
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

/** How much of the equal text is shown on both sides. */
const CONTEXT_CHARACTERS = 80;

/** The first and last place where two texts differ, within some equal text. */
export function Difference({ title, before, after }: DifferenceProps): JSX.Element {
  const start = equalStart(before, after);
  const end = equalEnd(before.slice(start), after.slice(start));
  const lead = before.slice(0, start);
  const trail = before.slice(before.length - end);
  return (
    <div class="content">
      <h3>{title}</h3>
      <pre tabIndex={0}>
        {lead.length > CONTEXT_CHARACTERS && '…'}
        {lead.slice(-CONTEXT_CHARACTERS)}
        {before.length - end > start && <del>{before.slice(start, before.length - end)}</del>}
        {after.length - end > start && <ins>{after.slice(start, after.length - end)}</ins>}
        {trail.slice(0, CONTEXT_CHARACTERS)}
        {trail.length > CONTEXT_CHARACTERS && '…'}
      </pre>
    </div>
  );
}

function equalStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return at;
}

function equalEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one.at(-1 - count) === other.at(-1 - count)) count += 1;
  return count;
}
