import type { TenantEraser } from '../../src/tenants/eraser.ts';

/** In place of the vault where a test is not about what it erases. */
export const absentEraser: TenantEraser = {
  erase: () => Promise.resolve({ keysDestroyedAt: new Date(), certificate: undefined }),
};
