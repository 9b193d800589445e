import { AppError } from '@glovebox/platform/errors/app-error';

import { sessionOver } from '../../people/sessions.ts';
import { erasuresBy } from '../../tenants/erasures.ts';
import { requireSameTenant, sessionOf } from '../session.ts';
import type { SignInHandler } from './options.ts';

/** The tenants that the person has deleted, to which no sign-in is possible (contract/people.md#erasures). */
export const listErasures: SignInHandler = async ({ postgres }, request, response) => {
  const db = postgres.acrossTenants('erasures of a person');
  const signedIn = await sessionOf(db, request.headers);
  if (signedIn === undefined) throw new AppError('unauthenticated', sessionOver);
  const { session } = signedIn;
  requireSameTenant(request.headers, session);
  const { holder } = session;
  const erasures = holder.kind === 'member' ? await erasuresBy(db, holder.userId) : [];
  const data = erasures.map(({ tenantId, requestedAt, certificate }) => ({
    tenant_id: tenantId,
    requested_at: requestedAt.toISOString(),
    certificate: certificate ?? undefined,
  }));
  response.json({ data });
};
