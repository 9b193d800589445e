import type { Logger } from '@glovebox/platform/telemetry/logger';

import { LateLibrary, type LateLibraryOptions } from './late-library.ts';
import { prepareLibrary } from './prepare-library.ts';
import { openPackages } from './prepare-packages.ts';

/** What a worker process reads. Without a file, only code that uses what would be in it fails, and says why. */
export interface UserCodeFiles {
  readonly libraryFile?: string;
  readonly packagesFile?: string;
}

export interface PreparedFiles extends AsyncDisposable {
  /** Those that are there now. */
  readonly files: UserCodeFiles;
  /** Whether they are complete. Until then code that requires a package waits. */
  readonly areWhole: boolean;
  /** Why the library is not there, for operators; undefined when it is. */
  readonly note: string | undefined;
  /** Calls back with the files if the library comes only now. */
  onLibrary(listener: (files: UserCodeFiles) => void): void;
}

/**
 * Ready after the first attempt to prepare the library; further ones follow while the runner serves. So it is with the packages:
 * they are bundled, where they have to be, while the runner serves.
 */
export async function prepareUserCodeFiles(
  logger: Logger,
  options: Partial<LateLibraryOptions> = {},
): Promise<PreparedFiles> {
  const stopping = new AbortController();
  const unprepared = (error: unknown) => {
    if (!stopping.signal.aborted)
      logger.warn(
        { err: error },
        'the packages for user code could not be prepared; the next start tries again',
      );
    return undefined;
  };
  const packages = await openPackages().catch(unprepared);
  let areFilled = false;
  const filled = Promise.resolve(packages?.fill(stopping.signal))
    .catch(unprepared)
    .then(() => {
      areFilled = true;
    });
  const library = new LateLibrary({ prepare: prepareLibrary, logger, ...options });
  const filesWith = (libraryFile: string | undefined): UserCodeFiles => ({
    ...(libraryFile === undefined ? {} : { libraryFile }),
    ...(packages === undefined ? {} : { packagesFile: packages.file }),
  });
  const listeners: ((files: UserCodeFiles) => void)[] = [];
  await library.start((file) => {
    for (const listener of listeners) listener(filesWith(file));
  });
  return {
    get files() {
      return filesWith(library.file);
    },
    get areWhole() {
      return areFilled && library.file !== undefined;
    },
    get note() {
      return library.note;
    },
    onLibrary: (listener) => void listeners.push(listener),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.all([filled, library[Symbol.asyncDispose]()]);
    },
  };
}
