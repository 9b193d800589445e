import type { Queryable } from '@glovebox/platform/db/postgres';
import type { Request } from 'express';

import { endSession } from '../../people/sessions.ts';
import { principalOfKeyHash } from '../authenticate.ts';
import { clearCookie, sessionCookie } from '../cookies.ts';
import { type SignedInSession, sessionOf } from '../session.ts';
import type { SignInHandler } from './options.ts';
import { recordSessionEnd } from './record-session-end.ts';

/** Ends the session, and says where to sign out of the identity provider: `{sign_out_url?}`. */
export const signOut: SignInHandler = async (options, request, response) => {
  const { postgres, provider, consoleUrl } = options;
  const signedIn = await sessionOf(postgres.acrossTenants('sign-in'), request.headers);
  clearCookie(response, sessionCookie);
  if (signedIn === undefined) {
    response.json({});
    return;
  }
  await postgres.forTenant(signedIn.session.tenantId).transaction(async (tx) => {
    await recordSignOut(tx, request, signedIn);
    await endSession(tx, signedIn.id);
  });
  const isMember = signedIn.session.holder.kind === 'member';
  const url = isMember ? await provider?.signOutUrl(consoleUrl).catch(() => undefined) : undefined;
  response.json({ sign_out_url: url });
};

async function recordSignOut(tx: Queryable, request: Request, { session }: SignedInSession): Promise<void> {
  const { tenantId, holder } = session;
  const actorId =
    holder.kind === 'member' ? holder.userId : (await principalOfKeyHash(tx, holder.keyHash)).applicationId;
  await recordSessionEnd(tx, request, 'sign_out', { holder, actorId, tenantId });
}
