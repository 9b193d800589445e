import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Program, debianProgram, programOnPath } from '@glovebox/local/debian-program';
import { stateDirectory } from '@glovebox/local/places';

/** Apt is slow to notice that there is no network. */
const timeoutMs = 30_000;

/** Finds PgBouncer: on this machine, else Debian's package, unpacked. Undefined when there is none. */
export async function findPgBouncer(): Promise<Program | undefined> {
  const pgbouncer = {
    name: 'pgbouncer',
    package: 'pgbouncer',
    path: 'usr/sbin/pgbouncer',
    versionOption: '--version',
  };
  return (
    (await programOnPath(['pgbouncer'])) ??
    (await debianProgram(pgbouncer, stateDirectory(), AbortSignal.timeout(timeoutMs)))
  );
}

/** A PgBouncer that gives each transaction a connection. */
export interface PgBouncer extends AsyncDisposable {
  /** The same database through the pooler. */
  url(direct: string): string;
  /** Ends it at once, as a crash does, and starts it anew on the same port. */
  restart(): Promise<void>;
}

/** @param databases their URLs @param poolSize connections to each */
export async function startPgBouncer(
  { command, env }: Program,
  databases: readonly string[],
  poolSize: number,
): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'glovebox-pgbouncer-'));
  const port = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
${databases.map(lineOf).join('\n')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
server_login_retry = 1
`,
  );
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const asNobody = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(command, [...asNobody, '--quiet', settings], { env, stdio: 'ignore' });
    while (!(await answers(port))) {
      if (started.exitCode !== null) throw new Error(`PgBouncer ended with ${started.exitCode}`);
    }
    return started;
  };
  let child = await start();
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    url(direct) {
      const url = new URL(direct);
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    async restart() {
      await end();
      child = await start();
    },
    async [Symbol.asyncDispose]() {
      await end();
      rmSync(folder, { recursive: true });
    },
  };
}

function lineOf(database: string): string {
  const { hostname, port, username, password, pathname } = new URL(database);
  const name = pathname.slice(1);
  return `${name} = host=${hostname} port=${port} dbname=${name} user=${username} password=${password}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return false;
  } finally {
    socket.destroy();
  }
}
