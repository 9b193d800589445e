import { setTimeout as sleep } from 'node:timers/promises';

import { openCertificates } from '@glovebox/platform/grpc/certificates';
import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import {
  type Command,
  CommandError,
  UsageError,
  exitCodes,
  readArguments,
} from '@glovebox/platform/process/commands';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import { createMetrics } from '@glovebox/platform/telemetry/metrics';

import { type ControlConfig, readControlConfig } from './config.ts';
import { uuidPattern } from './http/shape.ts';
import { type Stores, openStores } from './open-stores.ts';
import { advanceErasure } from './operations/tenants/advance-erasure.ts';
import { withdrawTenant } from './operations/tenants/withdraw-tenant.ts';
import { createVaultEraser } from './peers/vault-eraser.ts';
import { findErasure, insertErasure, wasDeletedBefore } from './tenants/erasures.ts';

const patienceMs = 10 * 60_000;
const pauseMs = 500;

export const eraseTenantCommand: Command = {
  name: 'tenant erase',
  takes: 'ID [--no-wait]',
  does:
    'deletes a tenant, destroys its keys at once, waits until its rows are erased, and prints the signed certificate; called ' +
    'again, it prints the same one. With --no-wait it ends when the keys are destroyed; the services do the rest. There is no way back.',
  async run(args) {
    const { positionals, values } = readArguments(args, { 'no-wait': { type: 'boolean' } }, 1);
    const tenantId = (positionals[0] ?? '').toLowerCase();
    if (!uuidPattern.test(tenantId)) throw new UsageError('ID: must be the id of a tenant, a UUID');
    const config = readControlConfig();
    await using stores = await openStores(config);
    await begin(stores, tenantId);
    using vault = await connectVault(config);
    const eraser = createVaultEraser(vault.channel);
    const parts = { postgres: stores.postgres.forTenant(tenantId), eraser };
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const certificate = await advanceErasure(parts, tenantId, config.erasure.settleMs);
      if (certificate !== undefined) return { output: { tenant_id: tenantId, certificate } };
      if (values['no-wait'] === true) return { output: { tenant_id: tenantId, keys_destroyed: true } };
      if (performance.now() > deadline) {
        throw new CommandError(
          exitCodes.temporary,
          'The keys are destroyed, and rows are still being erased. `tenant erasures` shows how far that is.',
        );
      }
      await sleep(pauseMs);
    }
  },
};

/** @throws CommandError when there is no such tenant */
async function begin({ postgres: database, publication }: Stores, tenantId: string): Promise<void> {
  const postgres = database.forTenant(tenantId);
  if ((await findErasure(postgres, tenantId)) !== undefined) return;
  const tenants = await postgres.query('tenant-exists', 'SELECT 1 FROM tenants WHERE id = $1', [tenantId]);
  if (tenants.length > 0) {
    const event = {
      tenantId,
      actorId: null,
      actorType: 'system' as const,
      correlationId: null,
      clientAddress: null,
    };
    await publication.changes.apply(
      { ...event, operation: 'delete', entityType: 'tenant', entityId: tenantId },
      async (tx) => ({ result: undefined, records: await withdrawTenant(tx, tenantId, null) }),
    );
    return;
  }
  if (!(await wasDeletedBefore(postgres, tenantId)))
    throw new CommandError(exitCodes.data, `There is no tenant ${tenantId}.`);
  await insertErasure(postgres, {
    tenantId,
    requestedBy: null,
    applicationIds: [],
    ownerIds: [],
    erased: {},
  });
}

async function connectVault({ serviceToken: token, vaultAddress: address, grpcTls }: ControlConfig) {
  const service = 'control-api';
  const logger = createLogger({ service, level: 'silent' });
  const certificates = await openCertificates({
    config: grpcTls,
    service,
    logger,
    metrics: createMetrics(service),
  });
  const channel = createGrpcChannel({ address, token, tls: { peer: 'token-vault', certificates } });
  return {
    channel,
    [Symbol.dispose]() {
      channel.close();
      certificates?.[Symbol.dispose]();
    },
  };
}
