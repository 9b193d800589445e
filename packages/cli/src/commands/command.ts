import type { Output } from '../terminal/output.ts';

export interface Flag {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly short?: string;
  /** What stands for its value in the usage, such as `FILE`. */
  readonly value?: string;
  /** One sentence. */
  readonly does: string;
}

export interface Command {
  /** Its words, e.g. `tokens create`. */
  readonly name: string;
  /** Its words after that, in capitals; all are required, but for those in brackets. */
  readonly takes: readonly string[];
  readonly flags: Readonly<Record<string, Flag>>;
  /** One sentence. */
  readonly does: string;
  /** @returns the exit code: 0, or 2 for drift. @throws UsageError, CliError, ApiError */
  run(call: Call): Promise<number>;
}

/** How a command was called. */
export interface Call {
  readonly words: readonly string[];
  readonly out: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The value of a flag with a value. */
  text(flag: string): string | undefined;
  texts(flag: string): readonly string[];
  is(flag: string): boolean;
}

/** Of every command. */
export const commonFlags: Readonly<Record<string, Flag>> = {
  profile: { type: 'string', value: 'NAME', does: 'The profile to use instead of `default`.' },
  json: { type: 'boolean', does: 'Answers JSON on standard output, and errors as JSON on standard error.' },
  help: { type: 'boolean', short: 'h', does: 'Shows how the command is used.' },
};

/** Of commands that read a folder. */
export const folderFlag: Readonly<Record<string, Flag>> = {
  folder: {
    type: 'string',
    short: 'C',
    value: 'DIR',
    does: 'The folder of `glovebox.yaml` instead of this one.',
  },
};
