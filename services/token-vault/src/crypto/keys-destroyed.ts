import { AppError } from '@glovebox/platform/errors/app-error';

/** The tenant was erased: its keys are gone for ever, and it gets no new ones. */
export class KeysDestroyed extends AppError {
  constructor() {
    super('unavailable', 'The keys of this tenant were destroyed.');
  }
}
