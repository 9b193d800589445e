import type { InputLimits } from '../limits/input-limits.ts';
import type { Configuration, SealedConfiguration } from './sealer.ts';

/** A merge patch of a configuration (RFC 7396): null clears it, a null entry takes that entry away. */
export type ConfigurationPatch = Readonly<Record<string, string | null>> | null;

/** The largest patch removes every entry and adds as many others. */
export const maxPatchEntries = ({ settings }: InputLimits) => 2 * settings;

/** The entries that a patch sets. */
export function entriesToSeal(patch: ConfigurationPatch | undefined): Configuration {
  return Object.fromEntries(
    Object.entries(patch ?? {}).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

/** Names of a configuration after a patch. */
export function namesAfter(current: readonly string[], patch: ConfigurationPatch): Set<string> {
  const names = new Set(patch === null ? [] : current);
  for (const [name, value] of Object.entries(patch ?? {})) {
    if (value === null) names.delete(name);
    else names.add(name);
  }
  return names;
}

/** @param sealed the entries that the patch sets. */
export function patchSealed(
  current: SealedConfiguration,
  patch: ConfigurationPatch,
  sealed: SealedConfiguration,
): SealedConfiguration {
  const names = namesAfter(Object.keys(current), patch);
  const entries = Object.entries({ ...current, ...sealed });
  return Object.fromEntries(entries.filter(([name]) => names.has(name)));
}
