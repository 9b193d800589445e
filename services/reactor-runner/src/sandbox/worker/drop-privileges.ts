/** Turns this process, which root has started, into a user that owns nothing; there is no way back. */
export function dropPrivileges(uid: number): void {
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
  if (process.getuid?.() !== uid || process.geteuid?.() !== uid || process.getgid?.() !== uid) {
    throw new Error('could not give up the privileges of root');
  }
}
