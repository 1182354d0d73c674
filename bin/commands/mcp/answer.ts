import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** Returns the result of a tool. Its text, and a mistake of the caller, name the argument, not the option. */
export async function answer(work: () => Promise<object | string>): Promise<CallToolResult> {
  try {
    const result = await work();
    return textOf(typeof result === 'string' ? withArguments(result) : JSON.stringify(result));
  } catch (error) {
    return { ...textOf(messageOf(error)), isError: true };
  }
}

function textOf(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Commander begins its messages as it prints them.
  return withArguments(error.message.replace(/^error: /, ''));
}

/** Names options of the command line as arguments, except in a line to type. What no argument allows is such a line. */
function withArguments(text: string): string {
  return text
    .replaceAll(/(needs?) (--allow-deletes)/g, '$1 hookproof check $2')
    .replaceAll(
      /(?<!hookproof [a-z]+ .*)--(only|receiver|secret|sender|allow-writes|delivery|expect)\b/g,
      (_, name) =>
        String(name).replaceAll(/-([a-z])/g, (__, letter) => String(letter).toUpperCase()),
    );
}
