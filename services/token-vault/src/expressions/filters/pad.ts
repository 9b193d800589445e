import type { JsonValue } from '../../values/json-value.ts';
import type { WorkBudget } from '../expression-limits.ts';
import { characterArgument, countArgument } from './arguments.ts';
import { scalarText, type Filter, type Value } from './filter.ts';

export const padLeft: Filter = padding('pad_left', (text, fill) => fill + text);
export const padRight: Filter = padding('pad_right', (text, fill) => text + fill);

function padding(name: string, join: (text: string, fill: string) => string): Filter {
  const apply = (input: Value, args: readonly JsonValue[], work: WorkBudget): Value => {
    if (input === null) return null;
    const text = scalarText(name, input);
    const missing = countArgument(name, 'length', args[0]) - text.length;
    const character = characterArgument(name, 'pad_char', args[1]);
    work.spend(text.length + Math.max(missing, 0));
    return missing > 0 ? join(text, character.repeat(missing)) : text;
  };
  return { minArgs: 2, maxArgs: 2, apply };
}
