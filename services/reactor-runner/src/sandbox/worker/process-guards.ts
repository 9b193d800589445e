import { writeSync } from 'node:fs';

/**
 * Ends this process at once when its own code fails. By itself it would wait for the thread that
 * waits for the runner (control.ts).
 */
export function endOnError(): void {
  process.on('uncaughtException', (error) => {
    try {
      writeSync(2, `${error instanceof Error ? error.stack : 'a value that is not an Error was thrown'}\n`);
    } finally {
      process.kill(process.pid, 'SIGKILL');
    }
  });
}

/** Turns this process, which root has started, into a user that owns nothing; there is no way back. */
export function dropPrivileges(uid: number): void {
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
  if (process.getuid?.() !== uid || process.geteuid?.() !== uid || process.getgid?.() !== uid) {
    throw new Error('could not give up the privileges of root');
  }
}
