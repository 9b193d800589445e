import { sealChanges } from '../../secrets/seal-changes.ts';
import {
  type Configuration,
  type Owner,
  type SealedConfiguration,
  type Sealer,
  sealedSettings,
} from '../../secrets/sealer.ts';

/** The configuration of a kept version, in plaintext and sealed like what the resource has now. */
export async function resealSettings(
  sealer: Sealer,
  owner: Owner,
  {
    current,
    kept,
  }: { readonly current: SealedConfiguration | null; readonly kept: SealedConfiguration | null },
  correlationId: string,
): Promise<{ readonly plain: Configuration; readonly sealed: SealedConfiguration } | undefined> {
  if (kept === null) return undefined;
  const opened = await sealer.open(sealedSettings(owner, kept), correlationId);
  const plain = Object.fromEntries(Object.keys(kept).map((name, index) => [name, opened[index]!]));
  return { plain, sealed: await sealChanges(sealer, owner, { current, next: plain }, correlationId) };
}
