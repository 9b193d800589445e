import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

import { AppError } from '../errors/app-error.ts';
import { ConfigError } from '../settings/config-error.ts';
import { PreconditionError } from './preconditions.ts';

/** Codes of sysexits.h. */
export const exitCodes = {
  usage: 64,
  data: 65,
  unavailable: 69,
  software: 70,
  temporary: 75,
  config: 78,
} as const;

/** A command of the operator. */
export interface Command {
  /** Its words, e.g. `tenant create`. */
  readonly name: string;
  /** The arguments, e.g. `NAME [--development]`. */
  readonly takes: string;
  /** One sentence. */
  readonly does: string;
  /** @throws UsageError, ConfigError, CommandError, AppError: each has its own exit code */
  run(args: readonly string[]): Promise<CommandResult>;
}

export interface CommandResult {
  /** Printed on standard output, as one line of JSON. */
  readonly output: object;
  /** 0 unless given. */
  readonly exitCode?: number;
}

/** The arguments are wrong; the usage is printed after the message. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A failure with its own exit code; `message` is for the operator's terminal. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Runs the command in `args`: its output goes to standard output, everything else to standard error. `--help` shows
 * the usage.
 * @returns the exit code of the process
 */
export async function runCommands(commands: readonly Command[], args: readonly string[]): Promise<number> {
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
  const shown = command === undefined ? commands : [command];
  if (args.includes('--help')) {
    process.stdout.write(
      `${usageOf(shown)}${shown.map(({ name, does }) => `\n${name}: ${does}\n`).join('')}`,
    );
    return 0;
  }
  try {
    if (command === undefined) throw new UsageError();
    const { output, exitCode = 0 } = await command.run(args.slice(command.name.split(' ').length));
    process.stdout.write(`${JSON.stringify(output)}\n`);
    return exitCode;
  } catch (error) {
    return failed(error, usageOf(shown));
  }
}

/**
 * The arguments after a command's name.
 * @param count of positional arguments, all required
 * @throws UsageError
 */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  count = 0,
) {
  const parsed = parse(args, options);
  if (parsed.positionals.length !== count) throw new UsageError();
  return parsed;
}

/**
 * `config check`: reads all settings of a service as its start would, and reports every problem at once.
 * @param read throws ConfigError
 */
export function configCheck(service: string, read: () => unknown): Command {
  return {
    name: 'config check',
    takes: '',
    does: `reads the settings of ${service} from the environment and names every problem; exit code 78 if there is one.`,
    async run(args) {
      readArguments(args, {});
      await read();
      return { output: { service, problems: [] } };
    },
  };
}

function parse<const Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function usageOf(commands: readonly Command[]): string {
  const lines = commands.map(({ name, takes }) => `${name} ${takes}`.trim());
  return `usage: ${lines.join('\n       ')}\n`;
}

function failed(error: unknown, usage: string): number {
  const say = (text: string) => process.stderr.write(text);
  if (error instanceof UsageError) {
    say(`${error.message && `${error.message}\n`}${usage}`);
    return exitCodes.usage;
  }
  if (error instanceof ConfigError) {
    say(`${error.message}\n`);
    return exitCodes.config;
  }
  say(`${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof PreconditionError) return exitCodes.data;
  if (!(error instanceof AppError)) return exitCodes.software;
  if (error.code === 'invalid_argument') return exitCodes.usage;
  if (error.code === 'vault_sealed') return exitCodes.temporary;
  return error.code === 'unavailable' ? exitCodes.unavailable : exitCodes.software;
}
