import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { folderFile } from '../files/folder.ts';
import { schema } from '../gen/schema.ts';
import { CliError } from '../terminal/cli-error.ts';
import { type Command, folderFlag } from './command.ts';

export const schemaLine = '# yaml-language-server: $schema=.glovebox/schema.json\n';

const example = `${schemaLine}version: 1

applications:
  shop:
    type: private
    permissions: [token:create]
    rules:
      - description: use cards with the processor
        priority: 1
        container: /
        transform: reveal
        permissions: [token:use]

proxies:
  charge:
    destination_url: https://api.example.com
    request_transform:
      code: ./charge.request.js
    configuration:
      REGION: eu
      # API_KEY: { env: PROCESSOR_API_KEY }
`;
const exampleCode = `module.exports = async function (req) {
  return { body: req.args.body, headers: req.args.headers };
};
`;

export const init: Command = {
  name: 'init',
  takes: [],
  flags: folderFlag,
  does: 'Writes an example of `glovebox.yaml`, with a schema for editors.',
  async run(call) {
    const folder = call.text('folder') ?? '.';
    if (existsSync(join(folder, folderFile)))
      throw new CliError(`${join(folder, folderFile)} exists already`);
    writeSchema(folder);
    writeFileSync(join(folder, 'charge.request.js'), exampleCode, { flag: 'wx' });
    writeFileSync(join(folder, folderFile), example, { flag: 'wx' });
    call.out.result(
      { file: join(folder, folderFile) },
      `wrote ${join(folder, folderFile)}; see what it does: glovebox diff`,
    );
    return Promise.resolve(0);
  },
};

/** The schema of this version of the program, for editors that work offline. */
export function writeSchema(folder: string): void {
  mkdirSync(join(folder, '.glovebox'), { recursive: true });
  writeFileSync(join(folder, '.glovebox', 'schema.json'), `${JSON.stringify(schema, undefined, 2)}\n`);
}
