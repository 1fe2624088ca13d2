import type { Command } from 'commander';

/** Shells with a completion script. */
type CompletedShell = 'bash' | 'zsh' | 'fish';

/** Words that may follow a command: its subcommands and its options. */
interface Completed {
  /** Full name of the command; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly string[];
}

/**
 * Writes a script that completes commands, subcommands and options in a shell. Other words complete as names of files. The script contains
 * all words, so that completion starts no process.
 */
export function completionScript(shell: CompletedShell, program: Command): string {
  return scripts[shell](completedBelow(program, ''));
}

const scripts: Readonly<Record<CompletedShell, (all: readonly Completed[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function completedBelow(command: Command, path: string): readonly Completed[] {
  const commands = command.commands.map((each) => ({ name: each.name(), summary: each.summary() }));
  const options = [
    ...command.options.flatMap(({ long }) => (typeof long === 'string' ? [long] : [])),
    '--help',
  ];
  return [
    { path, commands, options },
    ...command.commands.flatMap((each) => completedBelow(each, `${path} ${each.name()}`.trim())),
  ];
}

/** Lines of a `case` of bash and zsh that sets `commands` and `options` by `path`. */
function wordCases(all: readonly Completed[]): string {
  return all
    .map(
      ({ path, commands, options }) =>
        `    '${path}') commands='${commands.map(({ name }) => name).join(' ')}'; options='${options.join(' ')}' ;;`,
    )
    .join('\n');
}

/** A pattern that matches the full name of every command. */
function pathPattern(all: readonly Completed[]): string {
  return all.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`])).join('|');
}

function bashScript(all: readonly Completed[]): string {
  return `# Completion of nightshift for bash. Load it with: source <(nightshift completion bash)
_nightshift() {
  local word longer path='' commands='' options='' current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    longer="\${path:+$path }$word"
    case "$longer" in ${pathPattern(all)}) path="$longer" ;; esac
  done
  case "$path" in
${wordCases(all)}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$commands" -- "$current")) ;;
  esac
}
complete -o default -F _nightshift nightshift
`;
}

function zshScript(all: readonly Completed[]): string {
  return `#compdef nightshift
# Completion of nightshift for zsh. Load it with: source <(nightshift completion zsh)
_nightshift() {
  local word longer current_path='' commands='' options=''
  for word in "\${(@)words[2,CURRENT-1]}"; do
    longer="\${current_path:+$current_path }$word"
    case "$longer" in ${pathPattern(all)}) current_path="$longer" ;; esac
  done
  case "$current_path" in
${wordCases(all)}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    compadd -- \${=options}
  elif [[ -n "$commands" ]]; then
    compadd -- \${=commands}
  else
    _files
  fi
}
if (( $+functions[compdef] )); then compdef _nightshift nightshift; fi
`;
}

function fishScript(all: readonly Completed[]): string {
  const lines = all.flatMap(({ path, commands, options }) => {
    const here = `complete -c nightshift -n '__nightshift_at "${path}"'`;
    return [
      ...commands.map(({ name, summary }) => `${here} -f -a '${name}' -d ${fishText(summary)}`),
      ...options.map((option) => `${here} -l ${option.slice(2)}`),
    ];
  });
  const paths = all.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`])).join(' ');
  return `# Completion of nightshift for fish. Load it with: nightshift completion fish | source
function __nightshift_at
  set -l here ''
  for word in (commandline -opc)[2..-1]
    set -l longer (string trim -- "$here $word")
    contains -- $longer ${paths}; and set here $longer
  end
  test "$here" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function fishText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
