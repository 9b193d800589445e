import type { Scope } from '../scope.ts';
import { HTTPParser, httpMethods } from './http-parser.ts';
import type { IsolateNetwork } from './network.ts';
import { tcpHandles } from './tcp.ts';

/** The bindings under the library's sockets and HTTP client. */
export function networkBindings(scope: Scope, network: IsolateNetwork): Record<string, () => object> {
  const { state, readBytes, bufferOffset, bytesWritten, wasAsync } = network.streamState;
  return {
    http_parser: () => ({ HTTPParser, methods: httpMethods() }),
    stream_wrap: () => ({
      streamBaseState: state,
      kReadBytesOrError: readBytes,
      kArrayBufferOffset: bufferOffset,
      kBytesWritten: bytesWritten,
      kLastWriteWasAsync: wasAsync,
      WriteWrap: class WriteWrap {},
      ShutdownWrap: class ShutdownWrap {},
      LibuvStreamWrap: class LibuvStreamWrap {},
    }),
    tcp_wrap: () => ({
      TCP: tcpHandles(scope, network),
      TCPConnectWrap: class TCPConnectWrap {},
      constants: { SOCKET: 0, SERVER: 1, UV_TCP_IPV6ONLY: 1 },
    }),
    pipe_wrap: () => ({
      Pipe: class Pipe {
        constructor() {
          throw network.refusal('Sockets of a file system are not offered here.');
        }
      },
      PipeConnectWrap: class PipeConnectWrap {},
      constants: { SOCKET: 0, SERVER: 1, IPC: 2 },
    }),
    fs: () => ({}),
    cares_wrap: () => ({ canonicalizeIP: (address: string) => address }),
  };
}
