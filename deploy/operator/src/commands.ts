import { join } from 'node:path';

import {
  type Command,
  CommandError,
  UsageError,
  exitCodes,
  readArguments,
} from '@glovebox/platform/process/commands';

import { backUp } from './back-up.ts';
import { readDatabaseUrls } from './config.ts';
import { nameFor, removeOldBackups, wholeBackups } from './dated-backups.ts';
import { restore } from './restore.ts';

/** The commands of the whole system, which no service has. `signal` ends them. */
export function operatorCommands(signal: AbortSignal): readonly Command[] {
  return [backupCommand(signal), backupsCommand, restoreCommand(signal)];
}

function backupCommand(signal: AbortSignal): Command {
  return {
    name: 'backup',
    takes: 'DIRECTORY [--dated [--keep NUMBER]]',
    does: 'writes the databases that CONTROL_DATABASE_URL and VAULT_DATABASE_URL name to a new directory; with --dated to one that is named by the time, in DIRECTORY, where --keep removes all but the newest.',
    async run(args) {
      const { values, positionals } = readArguments(
        args,
        { dated: { type: 'boolean' }, keep: { type: 'string' } },
        1,
      );
      const [directory = ''] = positionals;
      const { dated = false, keep } = values;
      if (keep !== undefined && (!dated || !/^[1-9]\d{0,5}$/.test(keep))) {
        throw new UsageError('--keep takes a number from 1, beside --dated');
      }
      const databases = readDatabaseUrls();
      const now = new Date();
      const target = dated ? join(directory, nameFor(now)) : directory;
      const output = await backUp(databases, target, signal);
      if (keep !== undefined) {
        for (const old of await removeOldBackups(directory, Number(keep), now)) {
          process.stderr.write(`${join(directory, old)} is removed\n`);
        }
      }
      return { output };
    },
  };
}

const backupsCommand: Command = {
  name: 'backups',
  takes: 'DIRECTORY',
  does: 'lists the backups that `backup --dated` has created in a directory, oldest first.',
  async run(args) {
    const [directory = ''] = readArguments(args, {}, 1).positionals;
    const backups = await wholeBackups(directory).catch((error: NodeJS.ErrnoException) => {
      throw new CommandError(exitCodes.unavailable, `${directory} cannot be read (${error.code})`);
    });
    return { output: { backups: backups.map((name) => join(directory, name)) } };
  },
};

function restoreCommand(signal: AbortSignal): Command {
  return {
    name: 'restore',
    takes: 'DIRECTORY',
    does: 'fills the two databases that CONTROL_DATABASE_URL and VAULT_DATABASE_URL name, which have to be empty.',
    async run(args) {
      const [directory = ''] = readArguments(args, {}, 1).positionals;
      return { output: await restore(readDatabaseUrls(), directory, signal) };
    },
  };
}
