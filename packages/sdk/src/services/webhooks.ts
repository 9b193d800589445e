import type { CallOptions, Send } from '../client.ts';
import { everything, pageOf } from '../conversion.ts';
import type { CursorQuery, Page } from '../models/page.ts';
import type {
  CreateWebhook,
  CreatedWebhook,
  RotatedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
} from '../models/webhook.ts';
import { path } from '../path.ts';

export class Webhooks {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** The only response with the secret. */
  async create(model: CreateWebhook, options?: CallOptions): Promise<CreatedWebhook> {
    return this.#send({ method: 'POST', path: '/webhooks/', body: model }, options);
  }

  async list(query?: CursorQuery, options?: CallOptions): Promise<Page<Webhook>> {
    return this.#send({ method: 'GET', path: '/webhooks/', query, received: pageOf(everything) }, options);
  }

  async retrieve(id: string, options?: CallOptions): Promise<Webhook> {
    return this.#send({ method: 'GET', path: path`/webhooks/${id}` }, options);
  }

  async update(id: string, model: CreateWebhook, options?: CallOptions): Promise<Webhook> {
    return this.#send({ method: 'PUT', path: path`/webhooks/${id}`, body: model }, options);
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#send({ method: 'DELETE', path: path`/webhooks/${id}` }, options);
  }

  /** For a day, deliveries are signed with the previous secret too. */
  async rotateSecret(id: string, options?: CallOptions): Promise<RotatedWebhook> {
    return this.#send({ method: 'POST', path: path`/webhooks/${id}/rotate-secret` }, options);
  }

  /** Sends an event of the type `webhook.test`. The answer does not wait for the delivery. */
  async test(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#send({ method: 'POST', path: path`/webhooks/${id}/test` }, options);
  }

  /** What became of the latest events, the newest first. */
  async deliveries(id: string, query?: CursorQuery, options?: CallOptions): Promise<Page<WebhookDelivery>> {
    const listed = { path: path`/webhooks/${id}/deliveries`, query, received: pageOf(everything) };
    return this.#send({ method: 'GET', ...listed }, options);
  }

  /** Delivers an event once more, with the same id. */
  async resend(id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery> {
    const resent = path`/webhooks/${id}/deliveries/${deliveryId}/resend`;
    return this.#send({ method: 'POST', path: resent }, options);
  }

  async listEventTypes(options?: CallOptions): Promise<WebhookEvent[]> {
    return this.#send({ method: 'GET', path: '/webhooks/event-types' }, options);
  }
}
