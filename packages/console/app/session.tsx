import { createContext, useContext } from 'react';

import type { SignedIn } from './api/models.ts';
import { missingRight } from './texts.ts';

const SessionContext = createContext<SignedIn | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;

/** Who is signed in; only below `App`. */
export function useSession(): SignedIn {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('nobody is signed in');
  return session;
}

/** Why the person may not; undefined: they may. */
export function useRight(permission: string): string | undefined {
  return useSession().permissions.includes(permission) ? undefined : missingRight(permission);
}
