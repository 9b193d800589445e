import { endOthers } from '../../people/own-sessions.ts';
import { lockMemberships } from '../../people/store.ts';
import type { SignInHandler } from './options.ts';
import { recordSessionEnd } from './record-session-end.ts';
import { signedInHolder } from './signed-in-holder.ts';

/** Ends all of the caller's sessions but this one, in all tenants: 204 (contract/people.md#your-sessions). */
export const endOtherSessions: SignInHandler = async (options, request, response) => {
  const own = await signedInHolder(options, request);
  await own.db.transaction(async (tx) => {
    // Else one that goes on in another tenant meanwhile would be overlooked.
    if (own.holder.kind === 'member') await lockMemberships(tx, own.holder.userId);
    const ended = await endOthers(tx, own.tenantIds, own.holder, new Date(), own.publicId);
    for (const tenantId of ended) await recordSessionEnd(tx, request, 'end_session', { ...own, tenantId });
  });
  response.status(204).end();
};
