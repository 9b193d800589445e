import { type ServiceName, serviceNames } from './service-names.ts';

/** The command line that has a command: a service's, or that of the whole system. */
export type Program = ServiceName | 'operator';

interface OperatorCommand {
  readonly words: string;
  readonly takes: string;
  /** Several are asked one after the other. */
  readonly programs: readonly Program[];
  /** It works without the running system. */
  readonly needsNothing?: true;
}

const commands: readonly OperatorCommand[] = [
  { words: 'tenant create', takes: 'NAME [--development]', programs: ['control-api'] },
  { words: 'tenant erase', takes: 'ID [--no-wait]', programs: ['control-api'] },
  { words: 'tenant erasures', takes: '', programs: ['token-vault'] },
  {
    words: 'tenant verify-erasure',
    takes: 'FILE [--keys FILE]',
    programs: ['token-vault'],
    needsNothing: true,
  },
  { words: 'projection rebuild', takes: '', programs: ['control-api'] },
  { words: 'vault seal', takes: '', programs: ['token-vault'] },
  { words: 'vault unseal', takes: '', programs: ['token-vault'] },
  { words: 'vault status', takes: '', programs: ['token-vault'] },
  { words: 'keys list', takes: '', programs: ['token-vault'] },
  { words: 'keys rotate', takes: '[--tenant ID] [--no-wait]', programs: ['token-vault'] },
  { words: 'keys rotate-index', takes: '[--tenant ID] [--status]', programs: ['token-vault'] },
  { words: 'keys rewrap', takes: '', programs: ['token-vault'] },
  { words: 'audit verify', takes: '[--head NUMBER:DIGEST]', programs: ['token-vault'] },
  {
    words: 'audit verify-export',
    takes: 'FILE [--keys FILE]',
    programs: ['token-vault'],
    needsNothing: true,
  },
  { words: 'audit rotate-key', takes: '', programs: ['token-vault'] },
  { words: 'config check', takes: '', programs: serviceNames },
  { words: 'backup', takes: 'DIRECTORY [--dated [--keep NUMBER]]', programs: ['operator'] },
  { words: 'backups', takes: 'DIRECTORY', programs: ['operator'] },
  { words: 'restore', takes: 'DIRECTORY', programs: ['operator'] },
];

export const usage = `usage: npm run glovebox -- COMMAND
${commands.map(({ words, takes }) => `  ${`${words} ${takes}`.trim()}`).join('\n')}
COMMAND --help tells more; docs/operating.md shows what each prints.
`;

/** Undefined: there is no such command. */
export function findCommand(args: readonly string[]): OperatorCommand | undefined {
  return commands.find(({ words }) => words.split(' ').every((word, index) => args[index] === word));
}
