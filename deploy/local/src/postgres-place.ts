import { chown, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

import type { Account } from './account.ts';
import { reachableTemporaryDirectory } from './places.ts';

/** Where a private server's files are. */
export interface PostgresPlace {
  readonly dataDir: string;
  readonly logFile: string | undefined;
  /** Removed in the end. */
  readonly temporary: string | undefined;
}

/** The given data directory, or a temporary one that the account can reach. */
export async function choosePlace(
  options: { readonly ephemeral?: boolean; readonly dataDir?: string; readonly logFile?: string },
  account: Account | undefined,
): Promise<PostgresPlace> {
  const ephemeral = options.ephemeral ?? false;
  if (options.dataDir !== undefined) {
    return {
      dataDir: options.dataDir,
      logFile: options.logFile,
      temporary: ephemeral ? options.dataDir : undefined,
    };
  }
  if (!ephemeral) throw new TypeError('startPostgres needs a dataDir, or ephemeral: true');
  const temporary = await mkdtemp(join(reachableTemporaryDirectory(account), 'glovebox-postgres-'));
  if (account !== undefined) await chown(temporary, account.uid, account.gid);
  return {
    dataDir: join(temporary, 'data'),
    logFile: options.logFile ?? join(temporary, 'postgres.log'),
    temporary,
  };
}
