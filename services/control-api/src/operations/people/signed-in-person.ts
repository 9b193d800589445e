import { AppError } from '@glovebox/platform/errors/app-error';

import type { Call, SignedInPerson } from '../../http/call.ts';
import type { Viewer } from '../../people/token-source.ts';

/** @throws AppError `permission_denied` for keys and for sessions of a key: programs have `GET /tokens` of their own */
export function signedInPerson({ person }: Pick<Call, 'person'>): SignedInPerson {
  if (person !== undefined) return person;
  throw new AppError('permission_denied', 'Only a person who is signed in sees tokens here.');
}

export function viewerOf({ principal, clientAddress }: Pick<Call, 'principal' | 'clientAddress'>): Viewer {
  return { tenantId: principal.tenantId, userId: principal.applicationId, clientAddress };
}
