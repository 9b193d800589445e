import { type Program, debianProgram, programOnPath } from '@glovebox/local/debian-program';
import { stateDirectory } from '@glovebox/local/places';

/** Apt is slow to notice that there is no network. */
const timeoutMs = 30_000;

/** Finds HAProxy: on PATH, else Debian's package, unpacked beside what `npm start` keeps. Undefined when there is none. */
export async function findHaproxy(cacheDir = stateDirectory()): Promise<Program | undefined> {
  const haproxy = {
    name: 'haproxy',
    package: 'haproxy',
    path: 'usr/sbin/haproxy',
    versionOption: '-v',
  };
  return (
    (await programOnPath(['haproxy'])) ??
    (await debianProgram(haproxy, cacheDir, AbortSignal.timeout(timeoutMs)))
  );
}
