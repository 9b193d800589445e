import type { Call, Reply } from '../../http/call.ts';
import { type RolloutKind, findRollout } from '../../rollouts/kind.ts';
import { showRollout } from '../../rollouts/show-rollout.ts';
import type { Dependencies } from '../dependencies.ts';

export function getRollout(kind: RolloutKind) {
  return async ({ postgres, figures }: Dependencies, { principal, id }: Call): Promise<Reply> => {
    const found = await findRollout(kind, postgres, principal.tenantId, id);
    return { status: 200, body: await showRollout(figures, found) };
  };
}
