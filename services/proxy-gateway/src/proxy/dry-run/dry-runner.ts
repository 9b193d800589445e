import type { ErrorObject } from '@glovebox/platform/errors/http';
import type { RunTransform } from '@glovebox/protos/runner/v1/runner';

import type { Exchange } from '../../http/exchange.ts';
import type { RunnerClient } from '../../runner/runner-client.ts';

type Ending =
  | { readonly kind: 'returned'; readonly result: string }
  | { readonly kind: 'responded'; readonly response: object }
  | { readonly kind: 'refused'; readonly error: ErrorObject };

/** The code has ended the invocation by itself: by an answer of its own, or by failing. */
export class CodeEnded extends Error {
  override readonly name = 'CodeEnded';
  readonly ending: Exclude<Ending, { kind: 'returned' }>;

  constructor(ending: Exclude<Ending, { kind: 'returned' }>) {
    super('the code has ended the invocation');
    this.ending = ending;
  }
}

/** In the place of the runner during a dry run: code runs without any effect, and its step is kept. */
export class DryRunner implements Pick<RunnerClient, 'transform' | 'requireConnection'> {
  readonly #runner: Pick<RunnerClient, 'dryTransform' | 'requireConnection'>;
  step: object | undefined;

  constructor(runner: Pick<RunnerClient, 'dryTransform' | 'requireConnection'>) {
    this.#runner = runner;
  }

  requireConnection(): void {
    this.#runner.requireConnection();
  }

  /** @throws CodeEnded */
  async transform(exchange: Exchange, transform: RunTransform): Promise<string> {
    const json = await this.#runner.dryTransform(exchange, { transform });
    const { step, ending }: { step: object; ending: Ending } = JSON.parse(json.toString());
    this.step = step;
    if (ending.kind === 'returned') return ending.result;
    throw new CodeEnded(ending);
  }
}
