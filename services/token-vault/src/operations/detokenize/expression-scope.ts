import { AppError } from '@glovebox/platform/errors/app-error';
import { type Detokenize, UsePurpose } from '@glovebox/protos/vault/v1/vault';
import { parseDeclared } from '@glovebox/published/declared-type';

import type { VaultContext } from '../../context/vault-context.ts';
import { Sealer } from '../../crypto/sealer.ts';
import { ExpressionEvaluationError } from '../../expressions/expression-error.ts';
import type { WorkBudget } from '../../expressions/expression-limits.ts';
import { evaluateOperand, type Variables } from '../../expressions/operand.ts';
import type { DetokenizationExpression, Reference, RowReference } from '../../expressions/parse.ts';
import { own, isJsonObject, type JsonObject, type JsonValue } from '../../values/json-value.ts';
import { bindingOf } from '../sealing/seal-and-open.ts';

/** What scope in expressions refer to, besides tokens (contract/expressions.md#contexts). */
export interface ExpressionScope {
  readonly variables: Variables;
  /** Only the entries that expressions name. */
  readonly configuration: Readonly<Record<string, JsonValue>>;
}

const bindable = ['proxy', 'res'] as const;

export function readVariables({ purpose, proxy }: Detokenize): JsonObject {
  if (purpose !== UsePurpose.USE_PURPOSE_PROXY || proxy === undefined || proxy.variables.length === 0) {
    return {};
  }
  const variables: unknown = JSON.parse(proxy.variables.toString());
  return isJsonObject(variables) ? variables : {};
}

export function scopeNames(variables: JsonObject, request: Detokenize): readonly string[] {
  const bound: string[] = bindable.filter((name) => Object.hasOwn(variables, name));
  return encryptedOf(request) === '' ? bound : [...bound, 'encrypted'];
}

/** The value of the header as it came; empty without one. */
export function encryptedOf({ purpose, proxy }: Detokenize): string {
  return purpose === UsePurpose.USE_PURPOSE_PROXY ? (proxy?.encrypted ?? '') : '';
}

/**
 * Resolves the variables of the request, and opens the configuration entries that expressions name. Their proxy or
 * reactor is looked up in published records: a peer's word is not enough.
 * @throws AppError `invalid_argument` for an unknown entry or configuration
 */
export function resolveScope(
  vault: VaultContext,
  tenantId: string,
  request: Detokenize,
  variables: JsonObject,
  expressions: readonly DetokenizationExpression[],
): ExpressionScope | Promise<ExpressionScope> {
  const named = new Set(
    expressions.flatMap(({ reference }) => (reference.kind === 'config' ? [reference.name] : [])),
  );
  const whole =
    isJsonObject(variables['proxy']) && request.expressions.some((text) => text.includes('proxy'));
  if (named.size === 0 && !whole) return { variables, configuration: {} };
  return openNamed(vault, tenantId, request, whole ? undefined : named).then((configuration) => ({
    configuration,
    variables: whole
      ? { ...variables, proxy: { ...(variables['proxy'] as JsonObject), config: configuration } }
      : variables,
  }));
}

export function valueOf(
  reference: Exclude<Reference, RowReference>,
  scope: ExpressionScope,
  work: WorkBudget,
): JsonValue {
  if (reference.kind === 'variable') return evaluateOperand(reference.operand, scope.variables, work);
  const { name } = reference;
  const source = reference.kind === 'config' ? scope.configuration : scope.variables['transform_identifier'];
  const value = isJsonObject(source) ? own(source, name) : undefined;
  if (value !== undefined) return value;
  const what = reference.kind === 'config' ? 'The configuration has no entry' : 'Nothing was made under';
  throw new ExpressionEvaluationError(`${what} ${JSON.stringify(name.slice(0, 200))}.`);
}

/** @param named undefined: all */
async function openNamed(
  vault: VaultContext,
  tenantId: string,
  request: Detokenize,
  named: ReadonlySet<string> | undefined,
): Promise<JsonObject> {
  // A proxy that the request itself defines has no key and no configuration.
  if (named === undefined && request.proxy?.keyHash === '') return {};
  const { record, typed } = await ownerOf(vault, request);
  if (record.tenantId !== tenantId) throw noConfiguration();
  const sealer = new Sealer(vault.keyring);
  const opened: JsonObject = Object.create(null);
  for (const [name, sealed] of Object.entries(record.sealedConfiguration)) {
    if (named !== undefined && !named.has(name)) continue;
    const place = { tenantId, recordId: record.id, field: `configuration.${name}` };
    opened[name] = typed(name, (await sealer.open(bindingOf(place, 0), sealed)).toString());
  }
  return opened;
}

interface Owner {
  readonly record: {
    readonly id: string;
    readonly tenantId: string;
    readonly sealedConfiguration: Readonly<Record<string, Uint8Array>>;
  };
  readonly typed: (name: string, text: string) => JsonValue;
}

async function ownerOf({ published }: VaultContext, request: Detokenize): Promise<Owner> {
  const { purpose, purposeId, proxy, reactorVersion } = request;
  if (purpose === UsePurpose.USE_PURPOSE_REACTOR) {
    const record = await published.reactorById(purposeId, reactorVersion);
    if (record === undefined) throw noConfiguration();
    const types = new Map(record.declaredConfiguration.map(({ name, type }) => [name, type]));
    // The runner refuses a value that is not of its declared type.
    return { record, typed: (name, text) => parseDeclared(types.get(name) ?? 'string', text) ?? text };
  }
  if (purpose !== UsePurpose.USE_PURPOSE_PROXY || proxy === undefined) throw noConfiguration();
  const record = await published.proxyByKeyHash(proxy.keyHash, proxy.version);
  if (record === undefined || record.id !== purposeId) throw noConfiguration();
  return { record, typed: (_name, text) => text };
}

function noConfiguration(): AppError {
  return new AppError('invalid_argument', 'Expressions have no configuration here.');
}
