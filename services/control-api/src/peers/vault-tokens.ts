import { toAppError } from '@glovebox/platform/errors/app-error';
import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';

import type { TokenSource } from '../people/token-source.ts';
import { peerCall, peerFailure } from './peer-call.ts';

/** Longer than a statement of the vault may take. */
const callTimeoutMs = 8000;

export function createVaultTokens(channel: GrpcChannel): TokenSource {
  return {
    async list(person, masks, query, correlationId) {
      const request = { person, masks, query };
      const options = peerCall(callTimeoutMs, correlationId);
      const method = VaultServiceService.listTokensForPerson;
      return (await channel.unary(method, request, options).catch(refuse)).json.toString();
    },
    async containersBelow(tenantId, parent, correlationId) {
      const options = peerCall(callTimeoutMs, correlationId);
      return channel.unary(VaultServiceService.listContainers, { tenantId, parent }, options).catch(refuse);
    },
    async reveal(person, tokenId, reason, correlationId) {
      const request = { person, tokenId, reason };
      // Not repeated: each try is an entry in the log and an event.
      const options = { ...peerCall(callTimeoutMs, correlationId), safe: false };
      return (
        await channel.unary(VaultServiceService.revealToken, request, options).catch(refuse)
      ).json.toString();
    },
  };
}

/** What is wrong with a request is the person's to know. */
const passedOn: ReadonlySet<string> = new Set(['invalid_argument', 'not_found', 'rate_limited', 'too_large']);

function refuse(cause: unknown): never {
  const failure = toAppError(cause);
  if (passedOn.has(failure.code)) throw failure;
  throw peerFailure('The vault, which keeps the tokens, cannot be reached.', cause);
}
