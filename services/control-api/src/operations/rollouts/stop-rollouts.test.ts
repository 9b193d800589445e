import type { TenantDatabase } from '@glovebox/platform/db/postgres';
import { expect } from 'chai';

import type { Changes } from '../../publication/changes.ts';
import type { RolloutKind } from '../../rollouts/kind.ts';
import type { RolloutRow } from '../../rollouts/rollout.ts';
import { stopRollouts } from './stop-rollouts.ts';

/** contract/rollouts.md#stop_when */
describe('stopping rollouts', () => {
  it('reaches each of hundreds when the figures of some cannot be read, and others cannot be stopped', async () => {
    const idOf = (n: number) => String(n + 1).padStart(8, '0');
    const rows = Array.from({ length: 450 }, (_, n) => {
      const row = { id: `rollout ${n}`, resource_id: idOf(n), version: '2', stop_min_requests: '1' };
      return { tenantId: `tenant ${n}`, row: { ...row, stop_error_rate: 0.5 } as RolloutRow };
    });
    const kind = {
      name: 'proxy',
      watched: async (_db: unknown, after: string, limit: number) =>
        rows.filter(({ row }) => row.resource_id > after).slice(0, limit),
    } as unknown as RolloutKind;
    const asked: string[] = [];
    const failing = new Set(['tenant 3', 'tenant 300']);
    const changes = {
      apply: async ({ recorded }: { recorded: string }) => {
        asked.push(recorded);
        if (failing.has(recorded)) throw new Error(recorded);
      },
    } as unknown as Changes;
    const figures = {
      of: async (id: string) => {
        if (id === 'rollout 5') throw new Error(id);
        return [{ requests: 1, errors: 1, p50: 1, p99: 1 }];
      },
      ofShadow: async () => ({ compared: 0, equal: 0, skipped: 0, differences: [] }),
    };
    const postgres = { acrossTenants: () => undefined } as unknown as TenantDatabase;
    const error = await stopRollouts({ postgres, changes, figures }, kind).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(asked).to.have.members(rows.map(({ tenantId }) => tenantId).filter((one) => one !== 'tenant 5'));
    expect(error).to.be.instanceOf(AggregateError);
    const messages = (error as AggregateError).errors.map((one: Error) => one.message);
    expect(messages).to.have.members(['rollout 5', ...failing]);
  });
});
