import type { Queryable } from '@glovebox/platform/postgres';
import * as z from 'zod';

import { type Problems, addProblems, readShape, uuid } from '../http/shape.ts';
import type { WholeApplication } from './application.ts';
import { notAttachable } from './patch-reference.ts';
import { findAttachableApplication } from './store.ts';

const shape = z.object({ application: z.object({ id: uuid }, 'must be an object').nullish() });

/** The application that a proxy or a reactor is to act as; undefined without one, and where it is none to act as. */
export async function readApplicationReference(
  db: Queryable,
  tenantId: string,
  body: unknown,
  problems: Problems,
): Promise<WholeApplication | undefined> {
  const id = readShape(shape, body, problems)?.application?.id;
  if (id === undefined) return undefined;
  const application = await findAttachableApplication(db, tenantId, id);
  if (application === undefined) {
    addProblems(problems, { 'application.id': [notAttachable] });
  }
  return application;
}
