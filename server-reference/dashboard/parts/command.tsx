import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';

interface CopyProps {
  readonly text: string | (() => string | Promise<string>);
  /** Default `Copy`. */
  readonly label?: string;
  /** The accessible name, if the label alone does not say what is copied. */
  readonly title?: string;
}

const NOTICE_MILLISECONDS = 1_500;

/** Copies a text to the clipboard, and says so. */
export function CopyButton({ text, label = 'Copy', title }: CopyProps): JSX.Element {
  const isCopied = useSignal(false);
  const copy = async (): Promise<void> => {
    await copyText(typeof text === 'string' ? text : await text());
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, NOTICE_MILLISECONDS);
  };
  return (
    <button type="button" class="copy" aria-label={title} onClick={() => void copy()}>
      {isCopied.value ? 'Copied' : label}
    </button>
  );
}

/** Copies a text. Browsers offer their clipboard on loopback and HTTPS only; elsewhere a selection is copied. */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
  /** The command that makes the first row. */
  readonly command?: string;
}

/** What a list without rows shows. */
export function Empty({ title, children, command }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
      {command !== undefined && (
        <div class="command">
          <code>{command}</code>
          <CopyButton text={command} title="Copy the command" />
        </div>
      )}
    </div>
  );
}

/** Quotes a text for a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
