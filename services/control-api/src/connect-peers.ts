import type { Certificates } from '@glovebox/platform/grpc/certificates';
import { type GrpcChannel, createGrpcChannel } from '@glovebox/platform/grpc/client';

import type { AuditSource, ExportSigner, UsageSource } from './audit/vault-sources.ts';
import type { ControlConfig } from './config.ts';
import { createRunnerCompiler } from './peers/runner-compiler.ts';
import { createRunnerInvocationLogs } from './peers/runner-invocation-logs.ts';
import { createRunnerTrier } from './peers/runner-trier.ts';
import { createVaultAudit } from './peers/vault-audit.ts';
import { createVaultEraser } from './peers/vault-eraser.ts';
import { createVaultExportSigner } from './peers/vault-export-signer.ts';
import { createVaultSealer } from './peers/vault-sealer.ts';
import { createVaultTokens } from './peers/vault-tokens.ts';
import { createVaultUsage } from './peers/vault-usage.ts';
import type { InvocationLogs } from './people/invocation-logs.ts';
import type { TokenSource } from './people/token-source.ts';
import type { PublicationKeys } from './publication/publication-keys.ts';
import type { Sealer } from './secrets/sealer.ts';
import type { TenantEraser } from './tenants/eraser.ts';

/** In place of the vault or the runner. */
export interface PeerOverrides {
  readonly sealer?: Sealer;
  readonly eraser?: TenantEraser;
  readonly tokens?: TokenSource;
  readonly audit?: AuditSource;
  readonly usage?: UsageSource;
  readonly exportSigner?: ExportSigner;
  readonly invocationLogs?: InvocationLogs;
}

/** Connects to the vault and the runner, and makes the clients that operations call them by. */
export function connectPeers(
  { serviceToken, vaultAddress, runnerAddress }: ControlConfig,
  certificates: Certificates | undefined,
  keys: PublicationKeys,
  overrides: PeerOverrides,
) {
  const connect = (peer: string, address: string) =>
    createGrpcChannel({ address, token: serviceToken, tls: { peer, certificates } });
  const vault = connect('token-vault', vaultAddress);
  const runner = connect('reactor-runner', runnerAddress);
  return {
    /** Undefined when another sealer replaces it. */
    vault: overrides.sealer === undefined ? vault : undefined,
    runner,
    sealer: overrides.sealer ?? createVaultSealer(vault),
    eraser: overrides.eraser ?? createVaultEraser(vault),
    ...readersOf(vault, runner, keys),
    ...replaced(overrides),
    [Symbol.dispose]() {
      vault.close();
      runner.close();
    },
  };
}

/** The operations' clients of the vault and the runner. */
function readersOf(vault: GrpcChannel, runner: GrpcChannel, { signing }: PublicationKeys) {
  return {
    compiler: createRunnerCompiler(runner),
    trier: createRunnerTrier(runner, signing),
    invocationLogs: createRunnerInvocationLogs(runner),
    usage: createVaultUsage(vault),
    tokens: createVaultTokens(vault),
    audit: createVaultAudit(vault),
    exportSigner: createVaultExportSigner(vault),
  };
}

/** The clients that tests replace. */
function replaced({ tokens, audit, usage, exportSigner, invocationLogs }: PeerOverrides) {
  return {
    ...(tokens === undefined ? {} : { tokens }),
    ...(audit === undefined ? {} : { audit }),
    ...(usage === undefined ? {} : { usage }),
    ...(exportSigner === undefined ? {} : { exportSigner }),
    ...(invocationLogs === undefined ? {} : { invocationLogs }),
  };
}
