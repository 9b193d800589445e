import type { Queryable } from '@glovebox/platform/db/postgres';

/**
 * The containers directly below one, in order. Each costs one look into the index, however many tokens it holds.
 * @param parent ends with a slash
 */
export async function selectContainersBelow(
  db: Queryable,
  tenantId: string,
  parent: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.queryOnce<{ container: string }>(
    'containers-below',
    `WITH RECURSIVE child (container, number) AS (
       SELECT (${first('container > $2')}), 1
        UNION ALL
       SELECT (${first(`container >= ${end('child.container')}`)}), number + 1
         FROM child WHERE child.container IS NOT NULL AND number < $3)
     SELECT container FROM child WHERE container IS NOT NULL ORDER BY number`,
    [tenantId, parent, limit],
  );
  return rows.map(({ container }) => container);
}

/** All that is below a container sorts before this: 0 follows the slash. */
const end = (container: string) => `left(${container}, -1) || '0'`;

const first = (from: string) => `
  SELECT $2 || split_part(substr(container, length($2) + 1), '/', 1) || '/'
    FROM searchable_token
   WHERE tenant_id = $1 AND ${from} AND container < ${end('$2')}
   ORDER BY container LIMIT 1`;
