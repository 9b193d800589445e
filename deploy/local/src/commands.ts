import { type ServiceName, serviceNames } from './service-names.ts';

interface OperatorCommand {
  readonly words: string;
  readonly takes: string;
  /** Whose command it is; several are asked one after the other. */
  readonly services: readonly ServiceName[];
}

/** Those of the whole system, which no service has: what follows them is a folder. */
export const ownCommands = ['backup', 'restore'] as const;

const commands: readonly OperatorCommand[] = [
  { words: 'tenant create', takes: 'NAME [--development]', services: ['control-api'] },
  { words: 'projection rebuild', takes: '', services: ['control-api'] },
  { words: 'keys list', takes: '', services: ['token-vault'] },
  { words: 'keys rotate', takes: '[--tenant ID] [--no-wait]', services: ['token-vault'] },
  { words: 'keys rewrap', takes: '', services: ['token-vault'] },
  { words: 'audit verify', takes: '[--head NUMBER:DIGEST]', services: ['token-vault'] },
  { words: 'config check', takes: '', services: serviceNames },
];

export const usage = `usage: npm run glovebox -- COMMAND
${commands.map(({ words, takes }) => `  ${`${words} ${takes}`.trim()}`).join('\n')}
${ownCommands.map((word) => `  ${word} DIRECTORY`).join('\n')}
COMMAND --help tells more; docs/operating.md shows what each prints.
`;

/** The services that answer to a command; undefined: there is none of that name. */
export function findTargets(args: readonly string[]): readonly ServiceName[] | undefined {
  return commands.find(({ words }) => words.split(' ').every((word, index) => args[index] === word))
    ?.services;
}
