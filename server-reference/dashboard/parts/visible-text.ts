import { options } from 'preact';

const CONTROL = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * Shows control characters and bidirectional controls in every text of the page, as JSON writes them: those of a
 * label, a path or a body could reorder what a reader sees. What is copied keeps them.
 */
export function showControlCharacters(): void {
  const before = options.vnode?.bind(options);
  options.vnode = (vnode) => {
    // The node of a text has the text in place of properties, which the types do not say.
    const node: { type: unknown; props: unknown } = vnode;
    if (node.type === null && typeof node.props === 'string') node.props = visible(node.props);
    before?.(vnode);
  };
}

function visible(text: string): string {
  return text.replace(
    CONTROL,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
