import type { Logger } from '@glovebox/platform/telemetry/logger';

import { prepareLibrary } from './prepare-library.ts';
import { openPackages } from './prepare-packages.ts';

/** What a worker process reads. Without a file, only code that uses what would be in it fails, and says why. */
export interface UserCodeFiles {
  readonly libraryFile?: string;
  readonly packagesFile?: string;
}

export interface PreparedFiles extends AsyncDisposable {
  readonly files: UserCodeFiles;
  /** Whether they are complete. Until then code that requires a package waits. */
  readonly areWhole: boolean;
}

/** Ready as soon as the library is: the packages are bundled, where they have to be, while the runner serves already. */
export async function prepareUserCodeFiles(logger: Logger): Promise<PreparedFiles> {
  const stopping = new AbortController();
  const warn = (what: string) => (error: unknown) => {
    if (stopping.signal.aborted) return undefined;
    logger.warn({ err: error }, `${what} for user code could not be prepared; the next start tries again`);
    return undefined;
  };
  const packages = await openPackages().catch(warn('the packages'));
  let areWhole = false;
  const filled = Promise.resolve(packages?.fill(stopping.signal))
    .catch(warn('the packages'))
    .then(() => {
      areWhole = true;
    });
  const libraryFile = await prepareLibrary().catch(warn('the library'));
  return {
    files: {
      ...(libraryFile === undefined ? {} : { libraryFile }),
      ...(packages === undefined ? {} : { packagesFile: packages.file }),
    },
    get areWhole() {
      return areWhole;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await filled;
    },
  };
}
