import { randomUUID } from 'node:crypto';

import type { EventBody } from '@glovebox/published/webhook-events';

import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import type { Dependencies } from '../dependencies.ts';
import { showDelivery } from './show-delivery.ts';

/**
 * Has an event delivered to the webhook of a call. It is logged in a transaction around the sending: what is not sent is not
 * logged, and nothing is sent while nothing can be logged. @throws AppError `unavailable`
 */
export async function sendDelivery(
  { changes, deliveries }: Pick<Dependencies, 'changes' | 'deliveries'>,
  call: Call,
  operation: 'resend' | 'test',
  event: EventBody,
): Promise<Reply> {
  const target = { webhook_id: call.id, sending_id: randomUUID() };
  const { sent } = await changes.applyLater(auditEvent(call, operation, 'webhook', call.id), async () => ({
    records: [],
    sent: await deliveries.send(event, target),
  }));
  return { status: 200, body: showDelivery(sent) };
}
