import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { CommanderError } from 'commander';

/** Returns the result of a tool. A mistake of the caller becomes a message that names the argument, not the option. */
export async function answer(work: () => Promise<object | string>): Promise<CallToolResult> {
  try {
    const result = await work();
    return textOf(typeof result === 'string' ? result : JSON.stringify(result));
  } catch (error) {
    return { ...textOf(messageOf(error)), isError: true };
  }
}

function textOf(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text =
    error instanceof CommanderError ? error.message.replace(/^error: /, '') : error.message;
  return text.replaceAll(
    /(?<!hookproof [a-z]+ )--(set|only|receiver|secret|sender|allow-writes|delivery|expect)\b/g,
    (_, name) => String(name).replaceAll(/-([a-z])/g, (__, letter) => String(letter).toUpperCase()),
  );
}
