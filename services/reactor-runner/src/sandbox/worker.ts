/**
 * The child process in which user code runs: messages in, messages out. Its environment is empty and it holds
 * no credential. Everything that it needs is loaded before it gives up its privileges.
 */
import { openDoor } from '../environment/host/network/door.ts';
import { Library } from '../environment/library/library.ts';
import { Channel } from '../worker-protocol/channel.ts';
import { workerCodec } from '../worker-protocol/codec.ts';
import { openChannelSocket } from './channel-socket.ts';
import { dropPrivileges } from './drop-privileges.ts';
import { endOnError } from './end-on-error.ts';
import { Invocations } from './invocations.ts';
import { holdLifeline } from './lifeline.ts';
import { type WorkerOptions, channelFd, maxFrameBytes } from './worker-options.ts';

endOnError();
const options = JSON.parse(process.argv[2] ?? '') as WorkerOptions;
if (options.lifeline) await holdLifeline();
const library = new Library(options.libraryFile, options.packagesFile);
const door = options.offline === true ? undefined : openDoor(options.network);
if (options.uid !== undefined) dropPrivileges(options.uid);

const socket = openChannelSocket(channelFd);
const largest = Math.max(options.argumentBytes, options.askBytes);
const channel = new Channel(socket, workerCodec, maxFrameBytes(largest));
const invocations = new Invocations(options, library, door, (message) => channel.send(message));
// isolated-vm can crash a process that ends in the ordinary way after it has disposed an isolate.
const end = () => process.kill(process.pid, 'SIGKILL');
channel.listen((message) => invocations.handle(message), end);
socket.on('close', end);
channel.send({ type: 'ready' });
