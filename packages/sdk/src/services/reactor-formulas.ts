import type { Send } from '../client.ts';
import { everything } from '../conversion.ts';
import type { NamedQuery } from '../models/page.ts';
import type { CreateReactorFormula, ReactorFormula } from '../models/reactor.ts';
import { Resource } from './resource.ts';

export class ReactorFormulas extends Resource<
  ReactorFormula,
  CreateReactorFormula,
  CreateReactorFormula,
  Omit<NamedQuery, 'id'>
> {
  constructor(send: Send) {
    super(send, '/reactor-formulas', everything);
  }
}
