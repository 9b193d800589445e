import { randomUUID } from 'node:crypto';

import { fromWireError } from '@glovebox/platform/errors/grpc';
import type { TokenJson, DryExpression } from '@glovebox/protos/vault/v1/vault';
import { describeExpression } from '@glovebox/vault-client/describe-expression';
import type { Use, VaultCaller, VaultClient } from '@glovebox/vault-client/vault-client';

import type { RequestTransformDependencies } from '../transform/transformation.ts';

/** In the place of the vault during a dry run: values are stand-ins, and no token is made. */
export class DryVault implements Pick<VaultClient, 'detokenize' | 'createToken'> {
  readonly #vault: RequestTransformDependencies['vault'] & Pick<VaultClient, 'dryDetokenize'>;
  readonly #decided = new Map<string, DryExpression>();

  constructor(vault: RequestTransformDependencies['vault'] & Pick<VaultClient, 'dryDetokenize'>) {
    this.#vault = vault;
  }

  /** @throws AppError that the request would be refused with */
  async detokenize(caller: VaultCaller, use: Use): ReturnType<VaultClient['detokenize']> {
    const { expressions, refusal, unselectedPaths } = await this.#vault.dryDetokenize(caller, use);
    for (const [at, decided] of expressions.entries()) this.#decided.set(use.expressions[at] ?? '', decided);
    if (refusal !== undefined) throw fromWireError(refusal);
    if (unselectedPaths.length > 0) caller.onUnselected?.(unselectedPaths);
    return { values: expressions.map(({ standIn }) => standIn ?? 'null'), readable: [] };
  }

  /** What would be made, with an id that no token has. */
  async createToken(_caller: VaultCaller, body: Buffer): Promise<TokenJson> {
    const id = randomUUID();
    const wanted: object = JSON.parse(body.toString());
    return { id, json: Buffer.from(JSON.stringify({ id, ...wanted })) };
  }

  /** What was decided, in the order of the places; then what no place holds, such as the options of a transform. */
  describe(places: readonly { readonly expression: string; readonly place: string }[]): readonly object[] {
    const placed = new Set(places.map(({ expression }) => expression));
    const others = [...this.#decided.keys()].filter((expression) => !placed.has(expression));
    return [...places, ...others.map((expression) => ({ expression, place: '/transforms' }))].map((one) =>
      describeExpression(one, this.#decided.get(one.expression)),
    );
  }
}
