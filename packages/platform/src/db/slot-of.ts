import { Command } from 'ioredis';

/** The slot of a name in a cluster: by what is between its first braces, or else by all of it. */
export function slotOf(name: string): number {
  return new Command('get', [name]).getSlot();
}
