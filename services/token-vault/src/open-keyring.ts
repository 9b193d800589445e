import type { TenantDatabase } from '@glovebox/platform/db/postgres';
import type { Logger } from '@glovebox/platform/telemetry/logger';

import { AuditSigner } from './audit/audit-signer.ts';
import type { VaultConfig } from './config.ts';
import { guardedKeys } from './crypto/guarded-keys.ts';
import { KeyBarrier } from './crypto/key-barrier.ts';
import type { KeyProvider } from './crypto/key-provider.ts';
import { Keyring } from './crypto/keyring.ts';
import { Sealer } from './crypto/sealer.ts';
import { type SealWatch, watchSeal } from './keys/sealing/watch-seal.ts';
import { openKeys } from './keys/services/open-keys.ts';
import { ReopenedKeys } from './keys/services/reopened-keys.ts';
import { createDekStore } from './store/tenant-keys.ts';

/** What holds keys, behind the barrier. */
export interface OpenKeyring {
  readonly barrier: KeyBarrier;
  readonly watch: SealWatch;
  readonly provider: KeyProvider;
  readonly keyring: Keyring;
  readonly keyed: { readonly sealer: Sealer; readonly signer: AuditSigner };
}

/** @param keys the key-encryption keys, opened once to see that they can be */
export async function openKeyring(
  stack: AsyncDisposableStack,
  config: VaultConfig,
  postgres: TenantDatabase,
  keys: KeyProvider,
  logger: Logger,
): Promise<OpenKeyring> {
  const barrier = new KeyBarrier();
  const { watch } = stack.use(await watchSeal(config.database, barrier, logger));
  const keyEncryption = new ReopenedKeys(keys, () => openKeys(config.keys));
  const provider = guardedKeys(barrier, keyEncryption);
  const keyring = new Keyring({
    provider,
    store: createDekStore(postgres),
    currentMaxAgeMs: config.rotation.heldMs,
  });
  const keyed = { sealer: new Sealer(keyring), signer: new AuditSigner(postgres.withoutTenant, provider) };
  for (const holder of [keyring, keyed.signer, keyEncryption]) barrier.onDrop(() => holder.drop());
  return { barrier, watch, provider, keyring, keyed };
}

/** A vault that starts while it is sealed has read its key file all the same. */
export function dropAfterStart(barrier: KeyBarrier): void {
  setImmediate(() => {
    if (barrier.state === 'sealed') barrier.drop();
  });
}
