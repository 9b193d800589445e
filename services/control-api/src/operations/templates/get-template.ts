import { AppError } from '@glovebox/platform/errors/app-error';

import type { Call, Reply } from '../../http/call.ts';
import type { Dependencies } from '../dependencies.ts';
import { applicationTemplates } from './templates.ts';

export async function getTemplate(_: Dependencies, { id }: Call): Promise<Reply> {
  const template = applicationTemplates.find((one) => one.id === id);
  if (template === undefined) throw new AppError('not_found', 'There is no such application template.');
  return { status: 200, body: template };
}
