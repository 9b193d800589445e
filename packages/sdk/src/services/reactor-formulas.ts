import type { Send } from '../client.ts';
import { everything } from '../conversion.ts';
import type { NamedQuery } from '../models/page.ts';
import type { CreateReactorFormula, ReactorFormula } from '../models/reactor.ts';
import type { ReactorFormulaDefinition } from '../models/version.ts';
import { Resource } from './resource.ts';
import { Versions } from './versions.ts';

export class ReactorFormulas extends Resource<
  ReactorFormula,
  CreateReactorFormula,
  CreateReactorFormula,
  Omit<NamedQuery, 'id'>
> {
  readonly versions: Versions<ReactorFormulaDefinition>;

  constructor(send: Send) {
    super(send, '/reactor-formulas', everything);
    this.versions = new Versions(send, '/reactor-formulas', everything);
  }
}
