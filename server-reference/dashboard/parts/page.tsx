import type { ComponentChildren, JSX } from 'preact';

import { closeDetail } from '../keyboard.ts';

/** A page of the dashboard. */
export interface Page {
  /** Its name in the address. */
  readonly name: string;
  readonly title: string;
  /** The letter that opens it after `g`. */
  readonly key: string;
  readonly view: () => JSX.Element;
}

interface SplitProps {
  readonly list: ComponentChildren;
  /** Null if no row is open. */
  readonly detail: ComponentChildren | null;
}

/** A list and the detail of its open row: side by side, or one at a time on a narrow screen. */
export function Split({ list, detail }: SplitProps): JSX.Element {
  return (
    <div class={detail === null ? 'split' : 'split has-detail'}>
      <div class="pane">{list}</div>
      {detail}
    </div>
  );
}

interface DetailProps {
  /** What it is, such as `Delivery`. */
  readonly title: string;
  readonly id?: string;
  /** Buttons for what can be done with the row. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The detail of a row, beside the list or, on a narrow screen, instead of it. */
export function Detail({ title, id, actions, children }: DetailProps): JSX.Element {
  return (
    <section class="detail" aria-label={title}>
      <header>
        <button
          type="button"
          class="back"
          aria-label="Close"
          title="Close (Esc)"
          onClick={closeDetail}
        />
        <h2>
          {title} {id !== undefined && <span class="id">{id}</span>}
        </h2>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
