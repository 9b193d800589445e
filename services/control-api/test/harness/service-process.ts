import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import type { Secret } from '@glovebox/platform/values/secret';

import { compileCache } from '../../../../test/harness/compile-cache.ts';

/** Another service that control-api calls, as a process. */
export interface ServiceProcess {
  readonly address: string;
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface ServiceProcessOptions {
  /** The whole of its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Of this machine, that it listens on. */
  readonly port: number;
  /** One that it takes calls with. */
  readonly token: Secret<string>;
}

/** Resolves when it can be called. */
export async function startServiceProcess(
  entry: string,
  { env, port, token }: ServiceProcessOptions,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['--conditions=source', entry], {
    env: { ...compileCache, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const address = `127.0.0.1:${port}`;
  await callable(address, token, child);
  return { address, end: (signal) => end(child, signal) };
}

async function callable(address: string, token: Secret<string>, child: ChildProcess): Promise<void> {
  const channel = createGrpcChannel({ address, token });
  const died = once(child, 'exit').then(() => Promise.reject(new Error('the service ended at once')));
  died.catch(() => undefined);
  try {
    await Promise.race([channel.waitForReady(20_000), died]);
  } finally {
    channel.close();
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
