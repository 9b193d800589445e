import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Command, folderFlag } from './command.ts';

/** The declarations of packages/code-types by their file names; the bundle has them inside. */
declare const codeTypes: Readonly<Record<string, string>>;

export const types: Command = {
  name: 'types',
  takes: [],
  flags: folderFlag,
  does: 'Writes the types of `req` for editors into `.glovebox/types`.',
  run(call) {
    const target = join(call.text('folder') ?? '.', '.glovebox', 'types');
    mkdirSync(target, { recursive: true });
    const written = Object.entries(codeTypes).map(([name, text]) => {
      writeFileSync(join(target, name), text);
      return join(target, name);
    });
    call.out.result({ files: written }, `wrote ${written.join(', ')}`);
    return Promise.resolve(0);
  },
};
