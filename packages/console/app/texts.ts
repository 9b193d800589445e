import { building } from './texts/building.ts';
import { frame } from './texts/frame.ts';
import { governing } from './texts/governing.ts';
import { lookingBack } from './texts/looking-back.ts';

/** Every text of the console, in one place. */
export const texts = { ...frame, ...building, ...governing, ...lookingBack } as const;

/** Why a button cannot be used. */
export function missingRight(permission: string): string {
  return texts.states.noRightHint(permission);
}
