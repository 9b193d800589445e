import { AppError } from '@glovebox/platform/errors/app-error';

import { preparePackages } from '../../src/node16/library/prepare-packages.ts';
import { type TestRunner, startTestRunner } from '../runner.ts';

export interface PackageRunner extends AsyncDisposable {
  /** What an async function of `req` with this body returns. */
  valueOf(body: string, req?: unknown): Promise<unknown>;
  readonly runner: TestRunner;
}

/** A runner with time enough for large packages on a busy machine. */
export async function startPackageRunner(wallMs = 20_000): Promise<PackageRunner> {
  await preparePackages();
  const runner = await startTestRunner({ limits: { wallMs, isolateMemoryMb: 128 } });
  return {
    runner,
    async valueOf(body, req = {}) {
      try {
        const code = `module.exports = async (req) => {\n${body}\n};`;
        return await runner.run(code, req, { timeoutMs: wallMs });
      } catch (error) {
        throw error instanceof AppError ? new Error(JSON.stringify(error.errors), { cause: error }) : error;
      }
    },
    [Symbol.asyncDispose]: () => runner[Symbol.asyncDispose](),
  };
}
