import type { LazyEnvironment } from '../../node16/isolate/lazy-environment.ts';
import type { makeWatchWorld } from './make-watch-world.ts';

/**
 * Makes the function that does ahead of time what does not depend on the module. In a trial it returns false when a
 * package has changed what a module that does not require it would notice: the globals, the language's own objects,
 * and Node's modules, with what they hold.
 */
export function makePrepare(
  environment: LazyEnvironment,
  watchWorld: ReturnType<typeof makeWatchWorld>,
): (packages: readonly string[], isTrial: boolean) => boolean {
  /** What most code uses of Node.js. */
  const prepared = [
    'assert',
    'buffer',
    'console',
    'crypto',
    'events',
    'http',
    'https',
    'os',
    'path',
    'process',
    'querystring',
    'stream',
    'string_decoder',
    'timers',
    'url',
    'util',
    'zlib',
  ];

  return (packages, isTrial) => {
    if (!isTrial) {
      environment.prepare([...prepared, ...packages]);
      return true;
    }
    const isSame = watchWorld(prepared.map((name) => environment.require(name)));
    environment.prepare(packages);
    return isSame();
  };
}
