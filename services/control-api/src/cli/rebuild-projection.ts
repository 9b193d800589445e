import { type Command, readArguments } from '@glovebox/platform/process/commands';

import { readStoreConfig } from '../config.ts';
import { openStores } from '../open-stores.ts';

export const rebuildProjection: Command = {
  name: 'projection rebuild',
  takes: '',
  does: 'makes what is published in Redis anew from the database, beside running services, and prints how much it was.',
  async run(args) {
    readArguments(args, {});
    await using stores = await openStores(readStoreConfig());
    const { entries, records } = await stores.publication.publisher.rebuild();
    return { output: { records, outbox_entries: entries } };
  },
};
