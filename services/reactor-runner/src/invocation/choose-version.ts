import type { RolloutBy } from '@glovebox/protos/runner/v1/runner';
import type { ReactorRecord, ReactorRolloutRecord } from '@glovebox/published/records';
import { getsSecond } from '@glovebox/published/rollout-choice';

/** What decides in a rollout; `chance` for an invocation without headers. */
export type DecidesBy = RolloutBy | 'chance' | undefined;

/** That an invocation takes part in a rollout. */
export interface InRollout {
  readonly id: string;
  /** The version that it gets, as the API shows it. */
  readonly version: number;
  /** The version of a shadow, whose result is only compared; absent for none. */
  readonly shadow?: ShadowVersion | undefined;
}

/** The second version of a shadow. It is stored with an accepted invocation. */
export interface ShadowVersion {
  /** The number of its record. */
  readonly record: number;
  /** As the API shows it. */
  readonly version: number;
}

export interface ChosenReactor {
  readonly reactor: ReactorRecord;
  readonly rollout?: InRollout | undefined;
}

/**
 * The version of a reactor that an invocation gets (contract/rollouts.md#who-gets-which-version). While the edge has not looked at the
 * header that decides, it is the present one, so that no caller alternates between two versions.
 */
export function chooseVersion(
  present: ReactorRecord,
  rollout: ReactorRolloutRecord | undefined,
  by: DecidesBy,
): ChosenReactor {
  if (rollout === undefined || rollout.ended) return { reactor: present };
  const { id, percent, shadowPercent, header, reactor: second, shownVersion } = rollout;
  const isKnown = header === '' || by === 'chance' || by?.header === header;
  const value = by === 'chance' ? undefined : by?.value;
  const chosen = { subjectId: present.id, version: shownVersion, percent: shadowPercent ?? percent, header };
  const isSecond = isKnown && getsSecond(chosen, value);
  if (isSecond && shadowPercent === undefined)
    return { reactor: second, rollout: { id, version: shownVersion } };
  const own = { id, version: present.version - rollout.formulaChanges };
  const shadow = { record: second.version, version: shownVersion };
  return { reactor: present, rollout: isSecond ? { ...own, shadow } : own };
}
