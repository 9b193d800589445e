import { type EgressSettings, egressPolicyProblems } from './egress-policy.ts';

/** The part of a reader of settings that is needed here; `EnvReader` of packages/platform is one. */
export interface SettingsReader {
  /** Items of a comma-separated setting. */
  list(name: string): string[];
  problem(text: string): void;
}

/** `EGRESS_ALLOW_CIDRS` and `EGRESS_ALLOW_HOSTS`; see EgressSettings for what an entry may be. Notes what is wrong. */
export function readAllowed(
  reader: SettingsReader,
): Required<Pick<EgressSettings, 'allowCidrs' | 'allowHosts'>> {
  const allowCidrs = readChecked(reader, 'EGRESS_ALLOW_CIDRS', (list) => ({ allowCidrs: list }));
  return { allowCidrs, allowHosts: readAllowedHosts(reader) };
}

/** `EGRESS_ALLOW_HOSTS` alone, for who dials nothing. Notes what is wrong. */
export function readAllowedHosts(reader: SettingsReader): readonly string[] {
  return readChecked(reader, 'EGRESS_ALLOW_HOSTS', (allowHosts) => ({ allowHosts }));
}

function readChecked(
  reader: SettingsReader,
  name: string,
  settingsOf: (list: readonly string[]) => Partial<EgressSettings>,
): readonly string[] {
  const list = reader.list(name);
  const problems = egressPolicyProblems({ profile: 'strict', ...settingsOf(list) });
  for (const problem of problems) reader.problem(`${name}: ${problem}`);
  return list;
}
