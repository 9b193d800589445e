import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A user of the operating system, to start processes as. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The user of Postgres when this process is root, which Postgres refuses: the owner of its existing data, else
 * `postgres`, else `nobody`. Undefined when this process is an ordinary user's.
 */
export function postgresAccount(dataDir?: string): Account | undefined {
  if (!runsAsRoot()) return undefined;
  const accounts = readAccounts();
  const owner = dataDir === undefined ? undefined : statSync(dataDir, { throwIfNoEntry: false })?.uid;
  const byOwner = owner === undefined || owner === 0 ? undefined : accounts.find(({ uid }) => uid === owner);
  return byOwner ?? accounts.find(({ name }) => name === 'postgres') ?? nobody(accounts);
}

/** Whether an account can reach files below a directory: every directory on the way lets others pass. */
export function canReach(account: Account, directory: string): boolean {
  for (let path = directory; ; path = dirname(path)) {
    const stat = statSync(path, { throwIfNoEntry: false });
    const passes =
      stat === undefined ||
      (stat.mode & 0o001) !== 0 ||
      (stat.uid === account.uid && (stat.mode & 0o100) !== 0);
    if (!passes) return false;
    if (path === dirname(path)) return true;
  }
}

function nobody(accounts: readonly Account[]): Account {
  return accounts.find(({ name }) => name === 'nobody') ?? { name: 'nobody', uid: 65_534, gid: 65_534 };
}

function readAccounts(): Account[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [name, , uid, gid] = line.split(':');
      return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
    });
}
