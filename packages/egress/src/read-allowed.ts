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
  const allowCidrs = reader.list('EGRESS_ALLOW_CIDRS');
  const allowHosts = reader.list('EGRESS_ALLOW_HOSTS');
  const check = (name: string, settings: Partial<EgressSettings>) => {
    for (const problem of egressPolicyProblems({ profile: 'strict', ...settings }))
      reader.problem(`${name}: ${problem}`);
  };
  check('EGRESS_ALLOW_CIDRS', { allowCidrs });
  check('EGRESS_ALLOW_HOSTS', { allowHosts });
  return { allowCidrs, allowHosts };
}
