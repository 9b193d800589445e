import type { Transform } from '@glovebox/access/rules';
import { everywhere } from '@glovebox/access/scope';
import { InboundCall } from '@glovebox/platform/calls/inbound';
import { validationError } from '@glovebox/platform/errors/app-error';
import type { UnaryContext } from '@glovebox/platform/grpc/unary';
import type { Person, VaultCall, VaultReply } from '@glovebox/protos/vault/v1/vault';

import { isUuid } from '../values/uuid.ts';
import { type IdentifiedCall, OpenCall } from './open-call.ts';

const nothing = () => undefined;

/**
 * What a person asks for, as the call of a principal that may read every token of its tenant, in one view. control-api has
 * decided on the person's role.
 * @throws AppError `invalid_argument`
 */
export function callOfPerson(
  person: Person | undefined,
  view: Transform,
  { correlationId, deadline }: Pick<UnaryContext, 'correlationId' | 'deadline'>,
): IdentifiedCall {
  const { tenantId = '', userId = '', clientAddress = '' } = person ?? {};
  const problems: Record<string, string[]> = {};
  if (!isUuid(tenantId)) problems['person.tenant_id'] = ['must be a UUID'];
  if (!isUuid(userId)) problems['person.user_id'] = ['must be a UUID'];
  if (Object.keys(problems).length > 0) throw validationError(problems);
  const now = Date.now();
  const message: VaultCall = {
    id: 0,
    timeoutMs: Math.max(0, deadline - now),
    traceparent: '',
    correlationId,
    apiKey: '',
    clientAddress,
    delegation: undefined,
    operation: undefined,
  };
  const grant = { bounds: everywhere, decision: { allowed: true, transform: view, rule: null } } as const;
  return {
    call: new OpenCall(new InboundCall<VaultCall, VaultReply>(message, now, nothing), nothing),
    caller: {
      tenantId,
      applicationId: userId,
      applicationType: 'management',
      isPerson: true,
      grants: { byPermission: new Map([['token:read', [grant]]]) },
    },
  };
}
