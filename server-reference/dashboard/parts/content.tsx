import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';

import { CopyButton } from './command.tsx';

interface ContentProps {
  /** What it is, such as `Body`. */
  readonly title: string;
  readonly text: string;
}

/** A body: JSON is formatted, and can be shown as sent. */
export function Content({ title, text }: ContentProps): JSX.Element {
  const isRaw = useSignal(false);
  const formatted = format(text);
  const hasForms = formatted !== null && formatted !== text;
  return (
    <div class="content">
      <div class="content-head">
        <h3>{title}</h3>
        {hasForms && (
          <button
            type="button"
            aria-pressed={isRaw.value}
            onClick={() => {
              isRaw.value = !isRaw.value;
            }}
          >
            As sent
          </button>
        )}
        <CopyButton text={text} title={`Copy: ${title}`} />
      </div>
      <pre tabIndex={0}>{text === '' ? 'empty' : isRaw.value ? text : (formatted ?? text)}</pre>
    </div>
  );
}

/** The headers of a request or response, in their order. */
export function Headers({
  headers,
  marked = [],
}: {
  readonly headers: readonly (readonly string[])[];
  /** Names, in lower case, to mark. */
  readonly marked?: readonly string[];
}): JSX.Element {
  return (
    <dl class="headers">
      {headers.map(([name = '', value = ''], place) => (
        <div key={place} class={marked.includes(name.toLowerCase()) ? 'marked' : undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function format(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}
