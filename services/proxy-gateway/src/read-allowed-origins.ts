import type { EnvReader } from '@glovebox/platform/settings/env';

import type { AllowedOrigins } from './http/cross-origin.ts';

/** A setting that is `*`, `none`, or origins such as `https://shop.example.org`. Notes what is wrong. */
export function readAllowedOrigins(read: EnvReader, name: string): AllowedOrigins {
  const items = read.list(name);
  if (items.length === 0 || (items.length === 1 && items[0] === '*')) return '*';
  if (items.length === 1 && items[0] === 'none') return new Set();
  const isOrigin = (item: string) => URL.canParse(item) && new URL(item).origin === item;
  if (!items.every(isOrigin))
    read.problem(`${name} must be *, none, or origins such as https://shop.example.org`);
  return new Set(items);
}
