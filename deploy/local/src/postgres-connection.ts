import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'pg';

/** Runs `use` on a connection of its own, which is closed afterwards. */
export async function withConnection<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A server that goes away while the connection idles is reported by the next query.
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Waits until the server behind `url` accepts connections.
 *
 * @param isOver tells that waiting is pointless, because the server's process has ended
 * @returns undefined once it does; else the last error
 */
export async function waitForPostgres(
  url: string,
  timeoutMs: number,
  isOver: () => boolean = () => false,
): Promise<Error | undefined> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const error = await withConnection(url, (client) => client.query('SELECT 1')).then(
      () => undefined,
      (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
    );
    if (error === undefined) return undefined;
    // 28: wrong password. It will not get better.
    const hopeless = 'code' in error && typeof error.code === 'string' && error.code.startsWith('28');
    if (hopeless || isOver() || Date.now() > deadline) return error;
    await delay(20);
  }
}

/** The same server and credentials, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}
