import type { Queryable } from '@glovebox/platform/db/postgres';
import * as z from 'zod';

import { type Problems, addProblems, readShape, uuid } from '../http/shape.ts';
import type { WholeApplication } from './fields.ts';
import { findAttachableApplication } from './store.ts';

const shape = z.object({ application: z.object({ id: uuid }, 'must be an object').nullish() });
const shownShape = z.object({ application_id: uuid.or(z.literal('')).nullish() });

/** The application that a proxy or a reactor acts as; undefined if there is none, or if it may not be attached. */
export async function readApplicationReference(
  db: Queryable,
  tenantId: string,
  body: unknown,
  problems: Problems,
): Promise<WholeApplication | undefined> {
  const id = readShape(shape, body, problems)?.application?.id;
  return findNamed(db, tenantId, { id, path: 'application.id' }, problems);
}

/** The same where a proxy that was read may be sent back: without `application`, its `application_id` counts. */
export async function readShownReference(
  db: Queryable,
  tenantId: string,
  body: unknown,
  problems: Problems,
): Promise<WholeApplication | undefined> {
  if (Object.hasOwn(Object(body), 'application'))
    return readApplicationReference(db, tenantId, body, problems);
  const id = readShape(shownShape, body, problems)?.application_id;
  return findNamed(db, tenantId, { id, path: 'application_id' }, problems);
}

async function findNamed(
  db: Queryable,
  tenantId: string,
  { id, path }: { readonly id: string | null | undefined; readonly path: string },
  problems: Problems,
): Promise<WholeApplication | undefined> {
  if (id == null || id === '') return undefined;
  const application = await findAttachableApplication(db, tenantId, id);
  if (application === undefined) addProblems(problems, { [path]: [notAttachable] });
  return application;
}

/** Undefined: what there is stays. `unnamed`: an object without an id, which merges with what there is. */
export type ReferencePatch = { readonly id: string } | 'unnamed' | null | undefined;

const patchShape = z.object({
  application: z.object({ id: uuid.optional() }, 'must be an object').nullish(),
});

/** Reads a merge patch of the application that a proxy or a reactor acts as. */
export async function readReferencePatch(
  db: Queryable,
  tenantId: string,
  body: unknown,
  problems: Problems,
): Promise<ReferencePatch> {
  const application = readShape(patchShape, body, problems)?.application;
  if (application == null) return application;
  const { id } = application;
  if (id === undefined) return 'unnamed';
  await findNamed(db, tenantId, { id, path: 'application.id' }, problems);
  return { id };
}

/** The same where a proxy is shown: without `application`, its `application_id` counts. */
export async function readShownReferencePatch(
  db: Queryable,
  tenantId: string,
  body: unknown,
  problems: Problems,
): Promise<ReferencePatch> {
  if (Object.hasOwn(Object(body), 'application')) return readReferencePatch(db, tenantId, body, problems);
  const id = readShape(shownShape, body, problems)?.application_id;
  if (id === undefined) return undefined;
  if (id === null || id === '') return null;
  await findNamed(db, tenantId, { id, path: 'application_id' }, problems);
  return { id };
}

const notAttachable = 'must be a private or public application of this tenant';

/** An object without an id is a problem if there is no application to merge it with. */
export function referenceProblems(current: string | null, patch: ReferencePatch): Problems {
  return patch === 'unnamed' && current === null ? { 'application.id': ['is required'] } : {};
}

export function patchReference(current: string | null, patch: ReferencePatch): string | null {
  return patch === undefined || patch === 'unnamed' ? current : (patch?.id ?? null);
}
