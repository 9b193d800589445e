import { createHmac } from 'node:crypto';

import { expect } from 'chai';

import type { Received } from './destination.ts';

/** As a receiver does that follows Standard Webhooks, under the names of the headers that the documentation gives. */
export function isSigned(secret: string, { headers, body }: Received): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const id = String(headers['svc-webhook-id']);
  const time = String(headers['svc-webhook-timestamp']);
  expect(Math.abs(Date.now() / 1000 - Number(time))).to.be.below(300);
  const signed = Buffer.concat([Buffer.from(`${id}.${time}.`), body]);
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return String(headers['svc-signature']).split(' ').includes(expected);
}
