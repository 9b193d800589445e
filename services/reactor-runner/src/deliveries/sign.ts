import { createHmac } from 'node:crypto';

const prefix = 'whsec_';

/**
 * Signs a message as Standard Webhooks does (docs/adr/0027): HMAC-SHA-256 over id, time and the bytes of the body.
 * @param secret `whsec_` and the key in base64
 * @param timestamp seconds since the epoch
 */
export function sign(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
