import type { EgressReason } from '@glovebox/published/tenant-egress';

/** What the code of one version may reach, besides what the operator allows. Plain data. */
export interface CodeReach {
  /** The list of its proxy or reactor; absent: it has none. */
  readonly allowed?: readonly string[];
  /** The tenant's egress policy; absent: it is off. */
  readonly policy?: { readonly patterns: readonly string[]; readonly isEnforced: boolean };
}

/** The code of a call has tried to reach a host that its reach does not cover. */
export interface EgressReport {
  /** `host:port` */
  readonly place: string;
  readonly reason: Exclude<EgressReason, 'ephemeral_proxy'>;
  /** Whether it was refused; otherwise it was only reported. */
  readonly denied: boolean;
}

/** A host as an isolate can name it: nothing else gets into a log by this way. */
const placeForm = /^[a-z0-9_.[\]:-]{1,300}$/;

/** The report without anything else that a worker may have added. @throws Error for one that names no host */
export function checkReport({ place, reason, denied }: EgressReport): EgressReport {
  if (!placeForm.test(place)) throw new Error('a report names no host');
  return { place, reason, denied };
}
