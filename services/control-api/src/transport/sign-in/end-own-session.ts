import { AppError } from '@glovebox/platform/errors/app-error';

import { uuidPattern } from '../../http/shape.ts';
import { endOwn } from '../../people/own-sessions.ts';
import { clearCookie, sessionCookie } from '../cookies.ts';
import type { SignInHandler } from './options.ts';
import { recordSessionEnd } from './record-session-end.ts';
import { signedInHolder } from './signed-in-holder.ts';

/** Ends one of the caller's own sessions: 204. Those of others do not exist for them (contract/people.md#your-sessions). */
export const endOwnSession: SignInHandler = async (options, request, response) => {
  const own = await signedInHolder(options, request);
  const id = String(request.params['id']).toLowerCase();
  if (!uuidPattern.test(id)) throw noSuchSession();
  await own.db.transaction(async (tx) => {
    const tenantId = await endOwn(tx, own.tenantIds, own.holder, new Date(), id);
    if (tenantId === undefined) throw noSuchSession();
    await recordSessionEnd(tx, request, 'end_session', { ...own, tenantId });
  });
  if (id === own.publicId) clearCookie(response, sessionCookie);
  response.status(204).end();
};

function noSuchSession(): AppError {
  return new AppError('not_found', 'You have no such session.');
}
