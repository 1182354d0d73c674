/** A string, a mark, or a number or word. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Indents JSON and leaves its numbers and strings as they were sent: a number of JavaScript would
 * round a large integer. Other text is returned as it is. It ends soon after `length` characters.
 */
export function indentJson(text: string, length: number): string {
  if (!isJson(text)) return text;
  let indented = '';
  let depth = 0;
  let before = '';
  for (const [token] of text.matchAll(TOKENS)) {
    const closes = token === '}' || token === ']';
    const isAfterOpening = before === '{' || before === '[';
    if (closes) depth -= 1;
    if (closes ? !isAfterOpening : isAfterOpening || before === ',') {
      indented += `\n${'  '.repeat(depth)}`;
    }
    indented += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
    before = token;
    if (indented.length > length) break;
  }
  return indented;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
