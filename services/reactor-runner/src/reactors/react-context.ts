import type { PublishedRecords } from '@glovebox/published/published-records';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import type { Limits } from '../config.ts';
import type { EventTeller } from '../deliveries/event-teller.ts';
import type { CodeContext } from '../rpc/run-code.ts';
import type { ReactorConfigurations } from './reactor-configurations.ts';

/** What the steps of an invocation need of the runner. */
export interface ReactContext extends CodeContext {
  readonly registry: PublishedRecords;
  readonly vault: VaultClient;
  readonly configurations: ReactorConfigurations;
  readonly limits: Limits;
  readonly events: Pick<EventTeller, 'around' | 'tell'>;
}
