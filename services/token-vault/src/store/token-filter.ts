/** Selects tokens of a tenant. An empty `and` matches every token, an empty `or` none. */
export type TokenFilter =
  | { readonly kind: 'and' | 'or'; readonly of: readonly TokenFilter[] }
  | { readonly kind: 'not'; readonly of: TokenFilter }
  | {
      readonly kind: 'id' | 'type' | 'fingerprint' | 'created_by' | 'modified_by';
      readonly values: readonly string[];
    }
  | { readonly kind: 'id_prefix' | 'container' | 'container_prefix'; readonly value: string }
  | { readonly kind: 'metadata'; readonly name: string; readonly value: string }
  | { readonly kind: 'search_hash'; readonly hash: Buffer }
  | {
      readonly kind: 'created_at' | 'modified_at';
      readonly from?: Limit | undefined;
      readonly to?: Limit | undefined;
    }
  | { readonly kind: 'child_of'; readonly parentId: string };

export interface Limit {
  readonly at: Date;
  readonly inclusive: boolean;
}

export const everyToken: TokenFilter = { kind: 'and', of: [] };
export const noToken: TokenFilter = { kind: 'or', of: [] };

export class Parameters {
  readonly tenantId = '$1::uuid';
  readonly values: unknown[];

  constructor(tenantId: string) {
    this.values = [tenantId];
  }

  /** Returns the placeholder. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/**
 * A condition on rows of `token`. Null is never a result, so that it can be negated.
 *
 * @param negated it is below a `not`, where no index helps
 */
export function conditionOf(filter: TokenFilter, parameters: Parameters, negated = false): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return joined(filter.kind, filter.of, parameters, negated);
    case 'not':
      return opposite(conditionOf(filter.of, parameters, !negated));
    case 'id':
    case 'type':
    case 'fingerprint':
      return anyOf(filter.kind, filter.values.filter(isStorable), 'text', parameters);
    case 'created_by':
    case 'modified_by':
      return anyOf(filter.kind, filter.values.filter(isUuid), 'uuid', parameters);
    case 'id_prefix':
      return isStorable(filter.value) ? `starts_with(id, ${parameters.add(filter.value, 'text')})` : 'false';
    case 'container':
      return isStorable(filter.value) ? `container = ${parameters.add(filter.value, 'text')}` : 'false';
    case 'container_prefix':
      return containerBelow(filter.value, parameters);
    case 'metadata':
      return metadataCondition(filter, parameters, negated);
    case 'search_hash':
      return `(search_hashes <> '{}' AND search_hashes @> ARRAY[${parameters.add(filter.hash, 'bytea')}])`;
    case 'created_at':
    case 'modified_at':
      return between(filter.kind, filter, parameters);
    default:
      return childOf(filter.parentId, parameters);
  }
}

/** Leaves out constant conditions with their values: Postgres rejects parameters that a statement does not use. */
function joined(
  kind: 'and' | 'or',
  of: readonly TokenFilter[],
  parameters: Parameters,
  negated: boolean,
): string {
  const count = parameters.values.length;
  const conditions = of.map((filter) => conditionOf(filter, parameters, negated));
  const [neutral, decisive] = kind === 'and' ? ['true', 'false'] : ['false', 'true'];
  if (conditions.includes(decisive)) {
    parameters.values.length = count;
    return decisive;
  }
  const deciding = conditions.filter((condition) => condition !== neutral);
  if (deciding.length <= 1) return deciding[0] ?? neutral;
  return `(${deciding.join(kind === 'and' ? ' AND ' : ' OR ')})`;
}

function opposite(condition: string): string {
  if (condition === 'true') return 'false';
  return condition === 'false' ? 'true' : `(NOT ${condition})`;
}

const nullable: ReadonlySet<string> = new Set(['fingerprint', 'modified_by']);

function anyOf(column: string, values: readonly string[], type: string, parameters: Parameters): string {
  if (values.length === 0) return 'false';
  const condition = `${column} = ANY(${parameters.add(values, `${type}[]`)})`;
  // A modified token also has a modified_at, which the index contains.
  const given = column === 'modified_by' ? 'modified_at' : column;
  return nullable.has(column) ? `(${given} IS NOT NULL AND ${condition})` : condition;
}

/** Containers consist of ASCII letters, digits and a few signs, so the next string of the same length bounds a prefix. */
function containerBelow(prefix: string, parameters: Parameters): string {
  if (prefix === '' || prefix === '/') return 'true';
  if (!/^[\w/-]+$/.test(prefix)) return 'false';
  const end = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
  const [from, to] = [parameters.add(prefix, 'text'), parameters.add(end, 'text')];
  return `(container >= ${from} AND container < ${to})`;
}

/**
 * The index finds the entry by its hash; then the entry itself is compared. As a CASE, because Postgres would
 * estimate any other condition to match almost nothing.
 */
function metadataCondition(
  { name, value }: { readonly name: string; readonly value: string },
  parameters: Parameters,
  negated: boolean,
): string {
  if (!isStorable(name) || !isStorable(value)) return 'false';
  const [key, wanted] = [parameters.add(name, 'text'), parameters.add(value, 'text')];
  const equal = `CASE WHEN metadata ? ${key} THEN token_folded(metadata ->> ${key}) = token_folded(${wanted}) ELSE false END`;
  if (negated) return equal;
  const term = `token_metadata_term(${parameters.tenantId}, ${key}, ${wanted})`;
  return `(metadata IS NOT NULL AND token_metadata_terms(tenant_id, metadata) @> ARRAY[${term}] AND ${equal})`;
}

function between(
  column: string,
  { from, to }: { readonly from?: Limit | undefined; readonly to?: Limit | undefined },
  parameters: Parameters,
): string {
  const conditions = [`${column} IS NOT NULL`];
  if (from)
    conditions.push(`${column} >${from.inclusive ? '=' : ''} ${parameters.add(from.at, 'timestamptz')}`);
  if (to) conditions.push(`${column} <${to.inclusive ? '=' : ''} ${parameters.add(to.at, 'timestamptz')}`);
  return `(${conditions.join(' AND ')})`;
}

function childOf(parentId: string, parameters: Parameters): string {
  if (!isStorable(parentId)) return 'false';
  return (
    `EXISTS (SELECT 1 FROM token_association AS association WHERE association.tenant_id = ${parameters.tenantId}` +
    ` AND association.parent_id = ${parameters.add(parentId, 'text')} AND association.child_id = token.id)`
  );
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Postgres cannot hold such a text, so no token has it. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
