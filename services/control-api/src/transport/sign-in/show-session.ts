import { permissionsFor } from '@glovebox/access/permission';
import { holdsAnywhere } from '@glovebox/access/rules';
import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { permissionsOf, tokenViewOf } from '../../people/roles.ts';
import type { ConsoleSession } from '../../people/sessions.ts';
import { membershipsOf } from '../../people/store.ts';
import { existingTenants } from '../../tenants/store.ts';
import { principalOfKeyHash } from '../authenticate.ts';
import { clearCookie, sessionCookie } from '../cookies.ts';
import { sessionOf } from '../session.ts';
import type { SignInHandler } from './options.ts';

/** Shows who is signed in, and the ways to sign in. It is a 200 also without a session (contract/people.md#the-session). */
export const showSession: SignInHandler = async (options, request, response) => {
  const { postgres, provider, withKeys } = options;
  const signIn = { openid_connect: provider !== undefined, management_key: withKeys };
  const db = postgres.acrossTenants('sign-in');
  const signedIn = await sessionOf(db, request.headers).catch(unlessOver);
  if (signedIn === undefined) {
    clearCookie(response, sessionCookie);
    response.json({ sign_in: signIn });
    return;
  }
  response.json({ sign_in: signIn, session: await show(db, signedIn.session) });
};

async function show(db: Queryable, session: ConsoleSession): Promise<object> {
  const { tenantId, tenantName, createdAt, expiresAt, holder } = session;
  const shared = {
    tenant: { id: tenantId, name: tenantName },
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
  if (holder.kind === 'key') {
    const { applicationId, grants } = await principalOfKeyHash(db, holder.keyHash);
    const permissions = permissionsFor('management').filter((permission) =>
      holdsAnywhere(grants, permission),
    );
    return {
      ...shared,
      application: { id: applicationId, name: await nameOf(db, applicationId) },
      permissions,
      tenants: [shared.tenant],
    };
  }
  const { userId: id, role, email, firstName, lastName } = holder;
  const memberships = await membershipsOf(db, id);
  return {
    ...shared,
    role,
    user: {
      id,
      email: email ?? undefined,
      first_name: firstName ?? undefined,
      last_name: lastName ?? undefined,
    },
    permissions: permissionsOf(role),
    token_transform: tokenViewOf(role),
    tenants: await existingTenants(
      db,
      memberships.map((member) => member.tenant_id),
    ),
  };
}

async function nameOf(db: Queryable, applicationId: string): Promise<string | undefined> {
  const rows = await db.query<{ name: string }>(
    'name-of-application',
    'SELECT name FROM applications WHERE id = $1',
    [applicationId],
  );
  return rows[0]?.name;
}

function unlessOver(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'unauthenticated') return undefined;
  throw error;
}
