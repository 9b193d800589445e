import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { testPublication } from '../../../../test/harness/test-publication.ts';
import type { ControlConfig } from '../../src/config.ts';
import type { Checkpoint } from '../../src/publication/checkpoints.ts';
import type { Order } from './mortal-main.ts';

/** A control-api in a process of its own that dies at a given place. */
export interface MortalApi extends AsyncDisposable {
  readonly base: string;
  dieAt(step: Checkpoint, nth: number): void;
  /** Resolves when it is dead. */
  readonly dead: Promise<void>;
}

export async function startMortalApi(config: ControlConfig): Promise<MortalApi> {
  const child = fork(fileURLToPath(new URL('mortal-main.ts', import.meta.url)), {
    execArgv: ['--conditions=source'],
  });
  const dead = once(child, 'exit').then(() => undefined);
  order(child, { kind: 'start', env: environmentOf(config) });
  const ready = once(child, 'message').then(([port]) => Number(port));
  const port = await Promise.race([ready, dead.then(() => Promise.reject(new Error('it ended at once')))]);
  return {
    base: `http://127.0.0.1:${port}`,
    dieAt: (step, nth) => order(child, { kind: 'die', step, nth }),
    dead,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await dead;
    },
  };
}

function order(child: ChildProcess, what: Order): void {
  child.send(what);
}

/** As a supervisor would start the service. */
export function environmentOf(config: ControlConfig): Record<string, string> {
  return {
    LOG_LEVEL: config.logLevel,
    DATABASE_URL: config.databaseUrl.reveal(),
    REDIS_URL: config.redisUrl.reveal(),
    REDIS_PREFIX: config.redisPrefix,
    PUBLICATION_KEY_FILE: config.publication.keyFile,
    PUBLICATION_PUBLIC_KEYS: testPublication.setting,
    HTTP_PORT: String(config.httpPort),
    METRICS_PORT: String(config.metricsPort),
    SERVICE_TOKEN: config.serviceToken.reveal(),
    VAULT_ADDRESS: config.vaultAddress,
    RUNNER_ADDRESS: config.runnerAddress,
    EGRESS_PROFILE: config.egressProfile,
    EGRESS_ALLOW_HOSTS: config.egressAllowHosts.join(','),
    IDEMPOTENCY_RETENTION_MS: String(config.idempotency.retentionMs),
  };
}
