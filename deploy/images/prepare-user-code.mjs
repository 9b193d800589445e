// Makes, at the build of the images, what the runner would else make at its first start; without it there is no image.
import { prepareLibrary } from '../../services/reactor-runner/dist/node16/library/prepare-library.js';
import { preparePackages } from '../../services/reactor-runner/dist/node16/library/prepare-packages.js';

process.stdout.write(`${await prepareLibrary()}\n${await preparePackages()}\n`);
