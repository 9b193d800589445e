/**
 * The child process in which user code runs: messages in, messages out. Its environment is empty and it holds
 * no credential. Everything that it needs is loaded before it gives up its privileges.
 */
import { flushCompileCache } from 'node:module';

import { Channel } from '../../worker-protocol/channel.ts';
import { workerCodec } from '../../worker-protocol/codec.ts';
import type { ToWorker } from '../../worker-protocol/messages.ts';
import { type WorkerOptions, channelFd, maxFrameBytes } from '../../worker-protocol/worker-options.ts';
import type { EngineEvent } from '../engine.ts';
import { openIsolatedVm } from '../isolated-vm/isolated-vm-engine.ts';
import { makeSharedCells } from '../shared-cells.ts';
import { openChannelSocket } from './channel-socket.ts';
import { Control } from './control.ts';
import { dropPrivileges, endOnError } from './process-guards.ts';

endOnError();
const options: WorkerOptions = JSON.parse(process.argv[2] ?? '');
const cells = makeSharedCells();
const control = new Control(cells);
await control.start();
const startEngine = openIsolatedVm(options, cells);
if (options.flushesCompileCache === true) flushCompileCache();
if (options.uid !== undefined) dropPrivileges(options.uid);

const socket = openChannelSocket(channelFd);
const largest = Math.max(options.argumentBytes, options.btRequestBytes);
const channel = new Channel(socket, workerCodec, maxFrameBytes(largest));
const engine = startEngine(report);
// isolated-vm can crash a process that ends in the ordinary way after it has disposed an isolate.
const end = () => process.kill(process.pid, 'SIGKILL');
channel.listen(handle, end);
socket.on('close', end);
channel.send({ type: 'ready' });

function handle(message: ToWorker): void {
  switch (message.type) {
    case 'load':
      return engine.load(message.codeId, message.code);
    case 'reach':
      return engine.restrict(message.codeId, message.reach);
    case 'run':
      if (control.begin(message.callId)) engine.run(message);
      return;
    case 'proceed':
      control.proceed();
      return channel.send({ type: 'proceeding' });
    case 'cancel':
      return engine.cancel(message.callId);
    case 'forget':
      return engine.dispose(message.codeId);
    case 'compile':
      return engine.check(message.callId, message.code, message.loadMs);
    case 'btResponse':
      return engine.answer(message.callId, message.requestId, message.response);
    default:
      message satisfies never;
  }
}

function report(event: EngineEvent): void {
  if (event.type === 'effect') control.reportEffect(event.callId);
  else channel.send(event);
}
