import type { CallOptions, Send } from '../client.ts';
import { token } from '../conversion.ts';
import type { CreateEncryptedTokenIntent, CreateTokenIntent, TokenIntent } from '../models/token-intent.ts';
import { path } from '../path.ts';

/** Values that are stored for a day, and only usable in expressions. */
export class TokenIntents {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async create(
    model: CreateTokenIntent | CreateEncryptedTokenIntent,
    options?: CallOptions,
  ): Promise<TokenIntent> {
    return this.#send(
      { method: 'POST', path: '/token-intents', body: model, sent: token, received: token },
      options,
    );
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#send({ method: 'DELETE', path: path`/token-intents/${id}` }, options);
  }
}
