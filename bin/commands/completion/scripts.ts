import type { CompletedCommand, Values } from './table.ts';

/** Returns the script that makes a shell complete `hookproof`, also after `npx`. */
export const SCRIPTS: Readonly<
  Record<'bash' | 'zsh' | 'fish', (commands: readonly CompletedCommand[]) => string>
> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function bashScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name);
  const afterOptions = commands.flatMap(({ name, options }) =>
    options.flatMap((option) => [
      [`'${name} ${option.name}'`, option.values] as const,
      ...prefixesOf(option.values).map((prefix) => [`'${name} ${prefix}'`, 'paths'] as const),
    ]),
  );
  const optionNames = commands.map(
    ({ name, options }) =>
      [`'${name} '-*`, [...options.map((option) => option.name), '--help']] as const,
  );
  const afterCommands = commands.map(
    ({ name, values }) => [`'${name} '*`, values === 'nothing' ? 'text' : values] as const,
  );
  return `_hookproof() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} place=1 command= words=
  if [[ \${COMP_WORDS[0]} == npx ]]; then
    [[ \${COMP_WORDS[1]} == hookproof ]] || return 0
    place=2
  fi
  (( COMP_CWORD >= place )) || return 0
  (( COMP_CWORD > place )) && command=\${COMP_WORDS[place]}
  # Bash makes three words of --option=value.
  [[ $word == '=' ]] && word=
  [[ $before == '=' ]] && before=\${COMP_WORDS[COMP_CWORD-2]}
  case "$command $before" in
${bashCases(afterOptions)}
    *)
      case "$command $word" in
${bashCases([[`' '*`, [...names, '--help', '--version']], ...optionNames, ...afterCommands])}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o default -F _hookproof hookproof npx
`;
}

/** The words that a path follows, as in `html=report.html`. */
function prefixesOf(values: Values): readonly string[] {
  const words = typeof values === 'string' ? [] : values;
  return words.filter((word) => word.endsWith('=')).map((word) => word.slice(0, -1));
}

/** Patterns with the same words share a line. An empty reply leaves the word to the shell, which completes paths. */
function bashCases(cases: readonly (readonly [pattern: string, values: Values])[]): string {
  const patterns = new Map<string, string[]>();
  for (const [pattern, values] of cases) {
    if (values === 'nothing') continue;
    const does = bashReply(values);
    patterns.set(does, [...(patterns.get(does) ?? []), pattern]);
  }
  return [...patterns].map(([does, group]) => `    ${group.join('|')}) ${does} ;;`).join('\n');
}

function bashReply(values: Values): string {
  if (values === 'paths') return 'return 0';
  if (typeof values === 'string') return 'compopt +o default 2>/dev/null; return 0';
  return `words='${values.join(' ')}'`;
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(
    ({ name, description }) =>
      `    ${shellQuoted(`${name}:${description.replaceAll(':', '\\:')}`)}`,
  );
  const cases = commands.map(({ name, options, values }) => {
    const words = [
      ...options.map((option) => {
        const described = `[${option.description.replaceAll(/[\\[\]:]/g, String.raw`\$&`)}]`;
        return option.values === 'nothing'
          ? `${option.name}${described}`
          : `${option.name}=${described}: :${zshAction(option.values)}`;
      }),
      '--help[display help for command]',
      ...(values === 'nothing' ? [] : [`*: :${zshAction(values)}`]),
    ];
    return `    ${name}) _arguments ${words.map(shellQuoted).join(' ')} ;;`;
  });
  return `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_hookproof() {
  if [[ $words[1] == npx ]]; then
    (( CURRENT == 2 )) && { compadd hookproof; _default; return }
    [[ $words[2] == hookproof ]] || { _default; return }
    shift words; (( CURRENT -= 1 ))
  fi
  local -a commands=(
${names.join('\n')}
  )
  (( CURRENT == 2 )) && { _describe command commands; return }
  shift words; (( CURRENT -= 1 ))
  case $words[1] in
${cases.join('\n')}
  esac
}
compdef _hookproof hookproof npx
`;
}

function zshAction(values: Values): string {
  if (values === 'paths') return '_files';
  if (typeof values === 'string') return '';
  const words = values.join(' ');
  // A path follows each of these words.
  if (prefixesOf(values).length > 0)
    return `{ compset -P "*=" && _files || compadd -S "" ${words} }`;
  return `(${words})`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, description, options, values }) => [
    fishLine('', `-f -a ${name} -d ${fishQuoted(description)}`),
    fishLine(name, fishValues(values)),
    ...options.map((option) =>
      fishLine(
        name,
        `-l ${option.name.slice(2)} ${option.values === 'nothing' ? '-f' : `-r ${fishValues(option.values)}`} -d ${fishQuoted(option.description)}`,
      ),
    ),
  ]);
  return `function __hookproof_at
    set -l words (commandline -opc)
    test "$words[1]" = npx; and set -e words[1]
    test "$words[1]" = hookproof; and test "$words[2]" = "$argv[1]"
end
for program in hookproof npx
${lines.join('\n')}
end
`;
}

function fishLine(command: string, rest: string): string {
  return `    complete -c $program -n '__hookproof_at "${command}"' ${rest}`;
}

function fishValues(values: Values): string {
  if (values === 'paths') return '-F';
  return typeof values === 'string' ? '-f' : `-f -a ${fishQuoted(values.join(' '))}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
