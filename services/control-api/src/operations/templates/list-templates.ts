import type { Reply } from '../../http/call.ts';
import { applicationTemplates } from './templates.ts';

/** A bare array, as existing clients expect it (contract/tenants.md#application-templates). */
export async function listTemplates(): Promise<Reply> {
  return { status: 200, body: applicationTemplates };
}
