import { AppError } from '@glovebox/platform/errors/app-error';
import type { MaybePromise } from '@glovebox/platform/values/maybe-promise';

import { requireKeyPermission } from '../authorization/require-permission.ts';
import type { Outcome, IdentifiedCall } from '../calls/open-call.ts';
import type { VaultContext } from '../context/vault-context.ts';
import { planDetokenize } from '../operations/detokenize/detokenize.ts';
import { dryDetokenize } from '../operations/detokenize/dry-detokenize.ts';
import { writeIdempotently } from '../operations/idempotency/write-idempotently.ts';
import { createTokenIntent } from '../operations/intents/create-token-intent.ts';
import { deleteTokenIntent } from '../operations/intents/delete-token-intent.ts';
import { createKey } from '../operations/keys/create-key.ts';
import { deleteKey } from '../operations/keys/delete-key.ts';
import { getKey, listKeys } from '../operations/keys/read-keys.ts';
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
import type { WriteResult } from '../presentation/write-result.ts';

/** Any operation that is not a read of named tokens. It runs by itself, once it is admitted. */
export interface Task {
  readonly kind: 'task';
  readonly admit: (run: () => Promise<Outcome>) => Promise<Outcome>;
  readonly run: () => Promise<Outcome>;
}

const immediately = (run: () => Promise<Outcome>): Task => ({ kind: 'task', admit: (go) => go(), run });
const noBody = Buffer.alloc(0);

/** Maps a call to its operation. Reads of named tokens are described only, so that a frame serves them together. */
export function dispatch(vault: VaultContext, identified: IdentifiedCall): MaybePromise<Read> | Task {
  const { operation } = identified.call.message;
  switch (operation?.$case) {
    case 'detokenize':
      return planDetokenize(vault, identified, operation.value);
    case 'getToken':
      return planGetToken(identified, operation.value);
    default:
      return dispatchTask(vault, identified);
  }
}

function dispatchTask(vault: VaultContext, identified: IdentifiedCall): Task {
  const { operation } = identified.call.message;
  const { write, writeOnce, query } = schedulersFor(vault, identified);
  switch (operation?.$case) {
    case 'createToken':
      return writeOnce([operation.value.parentId], operation.value.body, (transactional) =>
        createToken(transactional, identified, operation.value),
      );
    case 'tokenize':
      return writeOnce([], operation.value.body, (transactional) =>
        tokenize(transactional, identified, operation.value),
      );
    case 'updateToken':
      return writeOnce([operation.value.tokenId], operation.value.patch, (transactional) =>
        updateToken(transactional, identified, operation.value),
      );
    case 'deleteToken':
      return write(() => deleteToken(vault, identified, operation.value));
    case 'associateTokens':
      return writeOnce([operation.value.parentId, operation.value.childId], noBody, (transactional) =>
        associateTokens(transactional, identified, operation.value),
      );
    case 'dissociateTokens':
      return write(() => dissociateTokens(vault, identified, operation.value));
    case 'dryDetokenize':
      return query(() => dryDetokenize(vault, identified, operation.value));
    case 'listTokens':
      return query(() => listTokens(vault, identified, operation.value));
    case 'searchTokens':
      return query(() => searchTokens(vault, identified, operation.value));
    case 'createTokenIntent':
      return writeOnce([], operation.value.body, (transactional) =>
        createTokenIntent(transactional, identified, operation.value),
      );
    case 'deleteTokenIntent':
      return write(() => deleteTokenIntent(vault, identified, operation.value));
    // An idempotency key does not count: the application's key is in every browser, and a session belongs to one visitor.
    case 'createSession':
      return write(() => createSession(vault, identified));
    case 'sealAnswer':
      return immediately(() => sealAnswer(vault, identified, operation.value));
    case 'openAnswer':
      return immediately(() => openAnswer(vault, identified, operation.value));
    // The decision is committed before Redis learns of it: in a transaction of its own, not in that of the answer.
    case 'authorizeSession':
      return writeOnce([], operation.value.body, () => authorizeSession(vault, identified, operation.value));
    default:
      return dispatchKeyCall(vault, identified);
  }
}

function dispatchKeyCall(vault: VaultContext, identified: IdentifiedCall): Task {
  const { operation } = identified.call.message;
  const { write, writeOnce, query } = schedulersFor(vault, identified);
  switch (operation?.$case) {
    case 'createKey': {
      // The permission is checked before an answer is replayed: no token in that answer would be decided on again.
      const { admit, run } = writeOnce([], operation.value.body, (transactional) =>
        createKey(transactional, identified, operation.value),
      );
      const authorizedRun = () => requireKeyPermission(vault, identified, 'create').then(run);
      return { kind: 'task', admit, run: authorizedRun };
    }
    case 'listKeys':
      return query(() => listKeys(vault, identified, operation.value));
    case 'getKey':
      return query(() => getKey(vault, identified, operation.value));
    case 'deleteKey':
      return write(() => deleteKey(vault, identified, operation.value));
    default:
      throw new AppError('invalid_argument', 'The call names no operation that this vault knows.');
  }
}

function schedulersFor(vault: VaultContext, identified: IdentifiedCall) {
  const write = (run: () => Promise<Outcome>): Task => ({
    kind: 'task',
    admit: (go) => vault.writes.run(identified.caller.tenantId, go),
    run,
  });
  return {
    write,
    writeOnce: (
      target: readonly string[],
      body: Buffer,
      run: (vault: VaultContext) => Promise<WriteResult>,
    ): Task => write(() => writeIdempotently(vault, identified, { target, body }, run)),
    query: (run: () => Promise<Outcome>): Task => ({
      kind: 'task',
      admit: (go) => vault.queries.run(identified.caller.tenantId, go),
      run,
    }),
  };
}
