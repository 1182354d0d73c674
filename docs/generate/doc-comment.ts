/** Returns the Markdown of a doc comment: its text, then its parameters, errors and examples. */
export function docsMarkdown(docs: string): string {
  const [text = '', ...tags] = docs.split(/^(?=@[a-z])/m);
  const sections = new Map<string, string[]>();
  for (const tag of tags) {
    const [, name = '', content = ''] = /^@(\w+)\s*([^]*)$/.exec(tag) ?? [];
    sections.set(name, [...(sections.get(name) ?? []), content.trim()]);
  }
  const of = (name: string): readonly string[] => sections.get(name) ?? [];
  const rows = [
    ...of('param').map(parameterRow),
    ...of('returns').map((returned) => `- Returns: ${oneLine(returned)}`),
    ...of('throws').map(errorRow),
  ];
  return [text.trim(), rows.join('\n'), ...of('example')]
    .filter((part) => part !== '')
    .join('\n\n')
    .replaceAll(/\{@link ([^}]+)\}/g, '`$1`');
}

function parameterRow(content: string): string {
  const [, name = '', text = ''] = /^(\S+)\s+(?:- )?([^]*)$/.exec(content) ?? [];
  return `- \`${name}\`: ${oneLine(text)}`;
}

function errorRow(content: string): string {
  const [, name = 'Error', text = ''] = /^(?:\{(\w+)\}\s*)?([^]*)$/.exec(content) ?? [];
  return `- Throws \`${name}\`: ${oneLine(text)}`;
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}
