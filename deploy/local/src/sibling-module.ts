import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The file of a module beside the caller's that is to run as a process of its own, in the caller's form
 * (`.ts` from the sources, `.js` from a build).
 */
export function siblingModule(callerUrl: string, name: string): string {
  return fileURLToPath(new URL(`./${name}${extname(new URL(callerUrl).pathname)}`, callerUrl));
}
