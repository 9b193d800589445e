import { AppError } from '@glovebox/platform/errors/app-error';

/** An operator has sealed the vaults: they hold no key, and get none before they are unsealed. */
export class VaultSealed extends AppError {
  constructor() {
    super('vault_sealed', 'The vault is sealed by its operator. Send the request again when it is unsealed.');
  }
}
