import type { Logger } from '@glovebox/platform/logger';

import { prepareLibrary } from './prepare-library.ts';
import { preparePackages } from './prepare-packages.ts';

export interface UserCodeFiles {
  readonly libraryFile?: string;
  readonly packagesFile?: string;
}

/** Without one of them the runner serves all the same: only code that uses what is missing fails, and says why. */
export async function prepareUserCodeFiles(logger: Logger): Promise<UserCodeFiles> {
  const had = async (what: string, prepared: Promise<string>) => {
    try {
      return await prepared;
    } catch (error) {
      logger.warn({ err: error }, `${what} for user code could not be had; the next start tries again`);
      return undefined;
    }
  };
  const [libraryFile, packagesFile] = await Promise.all([
    had('the library', prepareLibrary()),
    had('the packages', preparePackages()),
  ]);
  return {
    ...(libraryFile === undefined ? {} : { libraryFile }),
    ...(packagesFile === undefined ? {} : { packagesFile }),
  };
}
