import { AppError } from '@glovebox/platform/errors/app-error';
import type { Request, Response } from 'express';

/** Of a body; what is as small as most are is not counted, and never refused for what is large. */
const freeBytes = 65_536;

/**
 * Bounds what is held of bodies at once, by what they announce. JSON takes ten times its length when it is read, so that a few
 * dozen of the largest would be more than the process has.
 * @throws AppError `unavailable` when there is no room; nothing of the body was read then
 */
export function bodyHolder(maxBodyBytes: number, maxHeldBytes: number) {
  let held = 0;
  return (request: Request, response: Response): void => {
    const announced = request.get('content-length');
    // In chunks it may become any size.
    const bytes =
      announced === undefined && request.get('transfer-encoding') !== undefined
        ? maxBodyBytes
        : Number(announced ?? 0);
    if (!(bytes > freeBytes && bytes <= maxBodyBytes) || response.closed) return;
    if (held + bytes > maxHeldBytes)
      throw new AppError('unavailable', 'Too many large bodies are under way.');
    held += bytes;
    response.once('close', () => {
      held -= bytes;
    });
  };
}
