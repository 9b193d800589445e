import { AppError } from '@glovebox/platform/errors/app-error';

import {
  type Configuration,
  type Owner,
  type SealedConfiguration,
  type Sealer,
  plainSettings,
  sealedSettings,
  storedSettings,
} from './sealer.ts';

/**
 * Seals a configuration. What has the value that it had stays sealed as it is, so equal bytes in two versions are equal
 * values.
 */
export async function sealChanges(
  sealer: Sealer,
  owner: Owner,
  { current, next }: { readonly current: SealedConfiguration | null; readonly next: Configuration },
  correlationId: string,
): Promise<SealedConfiguration> {
  const same = await unchanged(sealer, owner, { current: current ?? {}, next }, correlationId);
  const changes = Object.fromEntries(Object.entries(next).filter(([name]) => !Object.hasOwn(same, name)));
  const sealed = await sealer.seal(plainSettings(owner, changes), correlationId);
  return { ...same, ...storedSettings(changes, sealed) };
}

async function unchanged(
  sealer: Sealer,
  owner: Owner,
  { current, next }: { readonly current: SealedConfiguration; readonly next: Configuration },
  correlationId: string,
): Promise<SealedConfiguration> {
  const common = Object.entries(current).filter(([name]) => Object.hasOwn(next, name));
  const opened = await sealer
    .open(sealedSettings(owner, Object.fromEntries(common)), correlationId)
    .catch(asReplaceable);
  return Object.fromEntries(common.filter(([name], index) => opened[index] === next[name]));
}

/** What does not authenticate may be replaced. */
function asReplaceable(error: unknown): string[] {
  if (error instanceof AppError && error.code === 'integrity_violation') return [];
  throw error;
}
