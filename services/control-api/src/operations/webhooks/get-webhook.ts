import type { Call, Reply } from '../../http/call.ts';
import { showWebhook } from '../../webhooks/fields.ts';
import { findWebhook } from '../../webhooks/store.ts';
import type { Dependencies } from '../dependencies.ts';

export async function getWebhook({ postgres }: Dependencies, { principal, id }: Call): Promise<Reply> {
  return {
    status: 200,
    body: showWebhook(await findWebhook(postgres, principal.tenantId, id)),
  };
}
