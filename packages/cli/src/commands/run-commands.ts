import { type ParseArgsConfig, parseArgs } from 'node:util';

import { UsageError, messageOf } from '../terminal/cli-error.ts';
import { Output } from '../terminal/output.ts';
import { type Call, type Command, commonFlags } from './command.ts';
import { showFailure } from './show-failure.ts';

/** Runs the command in `args`. @returns the exit code: 0 done, 1 failed, 2 drift */
export async function runCommands(
  commands: readonly Command[],
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
  const out = new Output(args.includes('--json'));
  if (command === undefined) return withoutCommand(commands, args, out);
  try {
    const call = readCall(command, args.slice(command.name.split(' ').length), out, env);
    if (call.is('help')) {
      process.stdout.write(helpOf(command));
      return 0;
    }
    const needed = command.takes.filter((word) => !word.startsWith('[')).length;
    if (call.words.length < needed || call.words.length > command.takes.length) throw new UsageError('');
    return await command.run(call);
  } catch (error) {
    showFailure(error, usageOf(command), out);
    return 1;
  }
}

function withoutCommand(commands: readonly Command[], args: readonly string[], out: Output): number {
  const [first] = args;
  const all = commands.map((command) => `  ${usageOf(command)}\n      ${command.does}`).join('\n');
  const overview = `usage: glovebox COMMAND\n\n${all}\n\nglovebox COMMAND --help shows the flags.\n`;
  if (first === '--help' || first === '-h' || first === 'help') {
    process.stdout.write(overview);
    return 0;
  }
  if (first === undefined) process.stderr.write(overview);
  else
    out.failure(
      { code: 'usage', message: `there is no command ${first}` },
      `there is no command ${first}; glovebox --help lists them`,
    );
  return 1;
}

function readCall(command: Command, args: readonly string[], out: Output, env: Call['env']): Call {
  const flags = { ...command.flags, ...commonFlags };
  const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    Object.entries(flags).map(([name, { type, multiple, short }]) => [
      name,
      { type, ...(multiple === true ? { multiple } : {}), ...(short === undefined ? {} : { short }) },
    ]),
  );
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
  const { positionals, values } = parsed;
  const textsOf = (flag: string) => [values[flag] ?? []].flat().filter((value) => typeof value === 'string');
  return {
    words: positionals,
    out,
    env,
    text: (flag) => textsOf(flag)[0],
    texts: textsOf,
    is: (flag) => values[flag] === true,
  };
}

export function usageOf({ name, takes, flags }: Command): string {
  const shown = Object.entries(flags).map(
    ([flag, { value }]) => `[--${flag}${value === undefined ? '' : ` ${value}`}]`,
  );
  return ['glovebox', name, ...takes, ...shown].join(' ');
}

function helpOf(command: Command): string {
  const flags = Object.entries({ ...command.flags, ...commonFlags }).map(([flag, { short, value, does }]) => {
    const name = `${short === undefined ? '' : `-${short}, `}--${flag}${value === undefined ? '' : ` ${value}`}`;
    return `  ${name.padEnd(24)} ${does}\n`;
  });
  return `${command.does}\n\nusage: ${usageOf(command)}\n\n${flags.join('')}`;
}
