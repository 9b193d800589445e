import type { Handler } from '../../http/call.ts';
import { applicationTemplates } from './templates.ts';

/** A bare array, as existing clients expect it (contract/tenants.md#application-templates). */
export const listTemplates: Handler = async () => ({ status: 200, body: applicationTemplates });
