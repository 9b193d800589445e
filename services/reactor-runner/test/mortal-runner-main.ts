/**
 * A runner as its supervisor starts it, which stops at a step of an asynchronous invocation, and kills itself there once
 * it gets a message.
 */
import { once } from 'node:events';

import { createLogger } from '@glovebox/platform/telemetry/logger';

import { readConfig } from '../src/config.ts';
import { startRunner } from '../src/runner.ts';

const dyingStep = process.argv[2];

const logger = createLogger({ service: 'reactor-runner', level: 'silent' });
const told = once(process, 'message');
const dieAt = async (step: string) => {
  if (step !== dyingStep) return;
  await told;
  process.kill(process.pid, 'SIGKILL');
};
const config = readConfig();
// Others wait as long before they take over. While this process lives, even on a busy machine, its lock must not expire.
const async = { ...config.async, lockMs: 2000 };
const runner = await startRunner({ ...config, async }, logger, {
  onStep: dieAt,
  onAttempt: () => dieAt('delivering'),
});
process.send?.(runner.grpcPort);
