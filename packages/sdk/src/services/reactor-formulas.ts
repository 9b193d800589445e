import type { CallOptions, Send } from '../client.ts';
import { everything, trial } from '../conversion.ts';
import type { NamedQuery } from '../models/page.ts';
import type { CreateReactorFormula, ReactorFormula } from '../models/reactor.ts';
import type { TrialResult, TryFormula } from '../models/trial.ts';
import type { ReactorFormulaDefinition } from '../models/version.ts';
import { Resource } from './resource.ts';
import { Versions } from './versions.ts';

export class ReactorFormulas extends Resource<
  ReactorFormula,
  CreateReactorFormula,
  CreateReactorFormula,
  Omit<NamedQuery, 'id'>
> {
  readonly versions: Versions<ReactorFormulaDefinition, CreateReactorFormula>;
  readonly #send: Send;

  constructor(send: Send) {
    super(send, '/reactor-formulas', everything);
    this.versions = new Versions(send, '/reactor-formulas', everything);
    this.#send = send;
  }

  /** Runs code of a formula or a reactor once, and stores nothing. Neither the event nor the result is converted. */
  async try(model: TryFormula, options?: CallOptions): Promise<TrialResult> {
    const shape = { sent: trial, received: trial };
    return this.#send({ method: 'POST', path: '/reactor-formulas/try', body: model, ...shape }, options);
  }
}
