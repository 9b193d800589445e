import { setFlagsFromString } from 'node:v8';

/** Of what a full collection has left, which is some 30 MB: as much again three times comes before the next. */
const growingPercent = 300;

/**
 * Lets garbage wait for the collections that cost little. What calls bring with them lies in buffers; V8 counts those that
 * came and went towards its next full collection, under a limit of their own that is reached with each 5 MB that calls
 * bring and take: with calls of 1 KB twice a second, for more than half of all that this process does (docs/adr/0048).
 */
export function collectSeldom(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
}
