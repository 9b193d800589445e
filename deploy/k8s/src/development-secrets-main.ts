import { stringify } from 'yaml';

import { developmentSecrets } from './development-secrets.ts';

for (const secret of developmentSecrets()) process.stdout.write(`---\n${stringify(secret)}`);
