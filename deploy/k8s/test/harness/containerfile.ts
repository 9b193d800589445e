/** One `FROM` and what follows it. */
export interface Stage {
  readonly name: string;
  readonly base: string;
  readonly steps: readonly { readonly instruction: string; readonly value: string }[];
}

/** The stages of a Containerfile, and the arguments before the first with their defaults. */
export function readStages(text: string): {
  args: Record<string, string | undefined>;
  stages: readonly Stage[];
} {
  const args: Record<string, string | undefined> = {};
  const stages: { name: string; base: string; steps: { instruction: string; value: string }[] }[] = [];
  for (const { instruction, value } of instructionsOf(text)) {
    const stage = stages.at(-1);
    if (instruction === 'FROM') {
      const [base = '', , name = ''] = value.split(' ');
      stages.push({ name, base, steps: [] });
    } else if (stage === undefined) {
      const [name = '', ...defaults] = value.split('=');
      args[name] = defaults.length === 0 ? undefined : defaults.join('=');
    } else {
      stage.steps.push({ instruction, value });
    }
  }
  return { args, stages };
}

function instructionsOf(text: string): { instruction: string; value: string }[] {
  return text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [instruction = '', ...rest] = line.trim().split(' ');
      return { instruction, value: rest.join(' ') };
    });
}
