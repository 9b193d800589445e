import { type Queryable, sqlStateOf } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

export interface Association {
  readonly tenantId: string;
  readonly parentId: string;
  readonly childId: string;
}

const foreignKeyViolation = '23503';

/** @returns false if it exists already. @throws AppError `not_found` if one of the tokens is gone */
export async function insertAssociation(
  tx: Queryable,
  { tenantId, parentId, childId }: Association,
  createdBy: string,
): Promise<boolean> {
  try {
    const rows = await tx.query(
      'association-insert',
      `INSERT INTO token_association (tenant_id, parent_id, child_id, created_by)
       VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING 1`,
      [tenantId, parentId, childId, createdBy],
    );
    return rows.length > 0;
  } catch (error) {
    if (sqlStateOf(error) !== foreignKeyViolation) throw error;
    throw new AppError('not_found', 'There is no such token.', { cause: error });
  }
}

/** @returns false if there is no such association */
export async function deleteAssociation(
  tx: Queryable,
  { tenantId, parentId, childId }: Association,
): Promise<boolean> {
  const rows = await tx.query(
    'association-delete',
    'DELETE FROM token_association WHERE tenant_id = $1 AND parent_id = $2 AND child_id = $3 RETURNING 1',
    [tenantId, parentId, childId],
  );
  return rows.length > 0;
}
