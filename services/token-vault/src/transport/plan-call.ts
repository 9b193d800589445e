import type { MaybePromise } from '@glovebox/platform/values/maybe-promise';

import type { IdentifiedCall, Outcome } from '../calls/open-call.ts';
import type { VaultContext } from '../context/vault-context.ts';
import { planDetokenize } from '../operations/detokenize/detokenize.ts';
import { type WriteAddress, performOnce } from '../operations/idempotency/perform-once.ts';
import { createTokenIntent } from '../operations/intents/create-token-intent.ts';
import { deleteTokenIntent } from '../operations/intents/delete-token-intent.ts';
import type { Read } from '../operations/reads/read-tokens.ts';
import { openAnswer, sealAnswer } from '../operations/sealing/proxied-answers.ts';
import { authorizeSession } from '../operations/sessions/authorize-session.ts';
import { createSession } from '../operations/sessions/create-session.ts';
import { associateTokens, dissociateTokens } from '../operations/tokens/associate-tokens.ts';
import { createToken } from '../operations/tokens/create-token.ts';
import { deleteToken } from '../operations/tokens/delete-token.ts';
import { planGetToken } from '../operations/tokens/get-token.ts';
import { listTokens } from '../operations/tokens/list-tokens.ts';
import { searchTokens } from '../operations/tokens/search-tokens.ts';
import { tokenize } from '../operations/tokens/tokenize.ts';
import { updateToken } from '../operations/tokens/update-token.ts';
import type { Written } from '../presentation/written-answer.ts';
import { planKeyCall } from './plan-key-call.ts';
import type { Work } from './planned-work.ts';

const atOnce = (work: () => Promise<Outcome>) => work();

const noBody = Buffer.alloc(0);

/** Every operation of the data plane. A read of named tokens is described, to be served together with others. */
export function planCall(vault: VaultContext, identified: IdentifiedCall): MaybePromise<Read> | Work {
  const { operation } = identified.call.message;
  const write = (work: () => Promise<Outcome>) => vault.writes.run(work);
  const once = (address: WriteAddress, work: (vault: VaultContext) => Promise<Written>): Work => ({
    admit: write,
    run: () => performOnce(vault, identified, address, work),
  });
  const query = (work: () => Promise<Outcome>) => vault.queries.run(identified.caller.tenantId, work);
  switch (operation?.$case) {
    case 'detokenize':
      return planDetokenize(vault, identified, operation.value);
    case 'getToken':
      return planGetToken(identified, operation.value);
    case 'createToken':
      return once({ about: [operation.value.parentId], body: operation.value.body }, (held) =>
        createToken(held, identified, operation.value),
      );
    case 'tokenize':
      return once({ about: [], body: operation.value.body }, (held) =>
        tokenize(held, identified, operation.value),
      );
    case 'updateToken':
      return once({ about: [operation.value.tokenId], body: operation.value.patch }, (held) =>
        updateToken(held, identified, operation.value),
      );
    case 'deleteToken':
      return { admit: write, run: () => deleteToken(vault, identified, operation.value) };
    case 'associateTokens':
      return once({ about: [operation.value.parentId, operation.value.childId], body: noBody }, (held) =>
        associateTokens(held, identified, operation.value),
      );
    case 'dissociateTokens':
      return { admit: write, run: () => dissociateTokens(vault, identified, operation.value) };
    case 'listTokens':
      return { admit: query, run: () => listTokens(vault, identified, operation.value) };
    case 'searchTokens':
      return { admit: query, run: () => searchTokens(vault, identified, operation.value) };
    case 'createTokenIntent':
      return once({ about: [], body: operation.value.body }, (held) =>
        createTokenIntent(held, identified, operation.value),
      );
    case 'deleteTokenIntent':
      return { admit: write, run: () => deleteTokenIntent(vault, identified, operation.value) };
    // Never twice the same, whatever key it has: the application's is in every browser, a session is one visitor's.
    case 'createSession':
      return { admit: write, run: () => createSession(vault, identified) };
    case 'sealAnswer':
      return { admit: atOnce, run: () => sealAnswer(vault, identified, operation.value) };
    case 'openAnswer':
      return { admit: atOnce, run: () => openAnswer(vault, identified, operation.value) };
    // What Redis is told of a session is recorded before: by itself, not with the answer.
    case 'authorizeSession':
      return once({ about: [], body: operation.value.body }, () =>
        authorizeSession(vault, identified, operation.value),
      );
    default:
      return planKeyCall(vault, identified);
  }
}
