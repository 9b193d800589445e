import type { PublishedRecords } from '@glovebox/published/published-records';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import type { ReactorConfigurations } from '../configurations/reactor-configurations.ts';
import type { EventTeller } from '../deliveries/webhook-emitter.ts';
import type { DetokenizeContext } from './detokenize-args.ts';
import type { CodeContext } from './run-code.ts';

/** What the steps of an invocation need of the runner. */
export interface ReactContext extends CodeContext {
  readonly registry: PublishedRecords;
  readonly vault: VaultClient;
  readonly configurations: ReactorConfigurations;
  readonly limits: DetokenizeContext['limits'];
  readonly events: Pick<EventTeller, 'around' | 'tell'>;
}
