import type { RunTransform } from '@glovebox/protos/runner/v1/runner';

import type { Exchange } from '../../http/exchange.ts';
import type { RunnerClient } from '../../runner/runner-client.ts';
import type { TransformDependencies } from '../transform/transformation.ts';

type Ending =
  | { readonly kind: 'returned'; readonly result: string }
  | { readonly kind: 'responded' }
  | { readonly kind: 'refused'; readonly status: number };

/** The code has answered by itself, or failed. */
export class ShadowEnded extends Error {
  override readonly name = 'ShadowEnded';
  readonly ending: Exclude<Ending, { kind: 'returned' }>;

  constructor(ending: Exclude<Ending, { kind: 'returned' }>) {
    super('the code has ended the invocation');
    this.ending = ending;
  }
}

/** Replaces the runner for a shadow: code runs without any effect. */
export class ShadowRunner {
  readonly #runner: Pick<RunnerClient, 'shadowTransform' | 'run' | 'requireConnection'>;

  constructor(runner: Pick<RunnerClient, 'shadowTransform' | 'run' | 'requireConnection'>) {
    this.#runner = runner;
  }

  requireConnection(): void {
    this.#runner.requireConnection();
  }

  /** @throws ShadowEnded */
  async transform(exchange: Exchange, transform: RunTransform): Promise<string> {
    const json = await this.#runner.shadowTransform(exchange, { transform });
    const ending: Ending = JSON.parse(json.toString());
    if (ending.kind === 'returned') return ending.result;
    throw new ShadowEnded(ending);
  }

  /** Code of our own, which has no effect. */
  run: TransformDependencies['runner']['run'] = (...of) => this.#runner.run(...of);
}

/** A transform needs the vault, which a shadow does not get. */
export class NotComparable extends Error {
  override readonly name = 'NotComparable';
}

export const noVault: TransformDependencies['vault'] = {
  detokenize: () => Promise.reject(new NotComparable('an expression would be evaluated')),
  createToken: () => Promise.reject(new NotComparable('a token would be made')),
};
