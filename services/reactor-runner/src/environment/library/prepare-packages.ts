import path from 'node:path';

import { packFile } from '@glovebox/user-packages/pack';
import { packagesKey } from '@glovebox/user-packages/packages-key';
import { writePackages } from '@glovebox/user-packages/write-packages';

import { preparedFolder } from './prepared-folder.ts';

/**
 * Gives the file with the npm packages for user code. They are bundled when nobody has done so yet with what is
 * installed now, which takes some seconds. @throws Error
 */
export async function preparePackages(): Promise<string> {
  return path.join(await preparedFolder(`packages-${packagesKey()}`, writePackages), packFile);
}
