import type { Glovebox } from '@glovebox/sdk/glovebox';

/** What the types say of `bt` is part of the client that `bt` is an instance of. */
export const bt = (client: Glovebox): Bt => client;
