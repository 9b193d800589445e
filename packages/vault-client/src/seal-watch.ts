import { AppError } from '@glovebox/platform/errors/app-error';
import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { repeatedly } from '@glovebox/platform/values/repeatedly';
import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';

const askEveryMs = 1000;

/**
 * Whether an operator has sealed the vault. What the vault has opened before must not be used either then. While nobody
 * answers, the last answer holds: a vault that is away is not sealed.
 */
export class SealWatch {
  readonly #ask: () => Promise<boolean>;
  readonly #drops: (() => void)[] = [];
  #isSealed = false;

  constructor(ask: () => Promise<boolean>) {
    this.#ask = ask;
  }

  /** @throws AppError `vault_sealed` */
  requireUnsealed(): void {
    if (this.#isSealed) throw new AppError('vault_sealed', 'The vault is sealed by its operator.');
  }

  /** @param drop drops everything that the vault has opened */
  onSealed(drop: () => void): void {
    this.#drops.push(drop);
  }

  /** Asks once; to be repeated. */
  async look(): Promise<void> {
    this.#isSealed = await this.#ask().catch(() => this.#isSealed);
    if (this.#isSealed) for (const drop of this.#drops) drop();
  }
}

export function watchSeal(channel: GrpcChannel): { readonly watch: SealWatch } & AsyncDisposable {
  const watch = new SealWatch(async () => {
    const options = { deadline: Date.now() + askEveryMs };
    return (await channel.unary(VaultServiceService.getSealState, {}, options)).sealed;
  });
  const repeated = repeatedly(askEveryMs, () => watch.look());
  return { watch, [Symbol.asyncDispose]: () => repeated[Symbol.asyncDispose]() };
}
