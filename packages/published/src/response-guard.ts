/** What happens to an answer that holds a value which was filled into the request (contract/proxies.md#leak-guard). */
export const guardModes = ['off', 'report', 'mask', 'refuse'] as const;

export type GuardMode = (typeof guardModes)[number];

/** The tenant's setting, for proxies and reactors that have none of their own. */
export const guardSetting = 'response_guard';

const modeOf = (text: string | undefined): GuardMode | undefined => guardModes.find((mode) => mode === text);

/**
 * @param own of the proxy or reactor; empty for none
 * @param settings of its tenant. Other values were stored before the setting had a meaning: they are notes.
 */
export function guardModeOf(own: string, settings: Readonly<Record<string, string>> | undefined): GuardMode {
  return modeOf(own) ?? modeOf(settings?.[guardSetting]) ?? 'report';
}
