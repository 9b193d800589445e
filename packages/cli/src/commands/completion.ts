import { UsageError } from '../terminal/cli-error.ts';
import { type Command, commonFlags } from './command.ts';

/** @param all the commands, itself among them when it runs */
export function completionOf(all: () => readonly Command[]): Command {
  return {
    name: 'completion',
    takes: ['SHELL'],
    flags: {},
    does: 'Writes what `bash`, `zsh` or `fish` need to complete commands and flags.',
    run(call) {
      const [shell = ''] = call.words;
      const write = { bash, zsh, fish }[shell];
      if (write === undefined) throw new UsageError('SHELL is bash, zsh or fish');
      process.stdout.write(write(all()));
      return Promise.resolve(0);
    },
  };
}

function bash(commands: readonly Command[]): string {
  const cases = commands.map(({ name, flags }) => `    "${name}"*) words="${flagsOf(flags)}" ;;`);
  return `_glovebox() {
  local line="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words
  case "$line" in
${cases.join('\n')}
${groupsOf(commands)
  .map(([word, seconds]) => `    ${word}*) words="${seconds.join(' ')}" ;;`)
  .join('\n')}
    *) words="${firstWords(commands).join(' ')}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _glovebox glovebox
`;
}

function zsh(commands: readonly Command[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`;
}

function fish(commands: readonly Command[]): string {
  const first = firstWords(commands).join(' ');
  const lines = [`complete -c glovebox -f -n "__fish_use_subcommand" -a "${first}"`];
  for (const { name, flags } of commands) {
    const [word = '', second] = name.split(' ');
    const seen = `__fish_seen_subcommand_from ${word}`;
    if (second !== undefined) lines.push(`complete -c glovebox -f -n "${seen}" -a "${second}"`);
    for (const [flag, { value }] of Object.entries({ ...flags, ...commonFlags })) {
      lines.push(`complete -c glovebox -n "${seen}" -l ${flag}${value === undefined ? '' : ' -r'}`);
    }
  }
  return `${[...new Set(lines)].join('\n')}\n`;
}

function firstWords(commands: readonly Command[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
}

/** First words that need a second one, with what may follow. */
function groupsOf(commands: readonly Command[]): [word: string, seconds: string[]][] {
  const names = commands.map(({ name }) => name.split(' ')).filter(({ length }) => length > 1);
  const words = [...new Set(names.map(([word = '']) => word))];
  return words.map((word) => [
    word,
    names.filter(([first]) => first === word).map(([, second = '']) => second),
  ]);
}

function flagsOf(flags: Command['flags']): string {
  return Object.keys({ ...flags, ...commonFlags })
    .map((flag) => `--${flag}`)
    .join(' ');
}
