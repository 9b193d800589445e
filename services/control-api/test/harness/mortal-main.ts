import { readControlConfig } from '../../src/config.ts';
import { startControlApi } from '../../src/control-api.ts';
import type { Checkpoint } from '../../src/publication/checkpoints.ts';
import { reversingSealer } from './reversing-sealer.ts';

/** What its parent tells a mortal control-api. */
export type Order =
  | { readonly kind: 'start'; readonly env: Readonly<Record<string, string>> }
  /** Dies, as by kill -9, the `nth` time that it reaches the step from now on. */
  | { readonly kind: 'die'; readonly step: Checkpoint; readonly nth: number };

let doom: { step: Checkpoint; left: number } | undefined;

process.on('message', (order: Order) => {
  if (order.kind === 'die') doom = { step: order.step, left: order.nth };
  else void start(order.env);
});

// A test that fails before it kills the process leaves none behind.
process.once('disconnect', () => process.exit());

async function start(env: Readonly<Record<string, string>>): Promise<void> {
  const onCheckpoint = (step: Checkpoint) => {
    if (doom?.step !== step || --doom.left > 0) return;
    process.kill(process.pid, 'SIGKILL');
  };
  const service = await startControlApi(readControlConfig(env), { sealer: reversingSealer, onCheckpoint });
  process.send?.(service.httpPort);
}
