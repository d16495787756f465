import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens on the port, or explains why it cannot. `flag` is the option that names the port. */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
  flag = '--port',
): Promise<AddressInfo> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const sentences: Record<string, string> = {
      EADDRINUSE: `Port ${port} on ${host} is in use. Stop what uses it, or choose another with ${flag}.`,
      EACCES: `Port ${port} may not be opened by this user. Choose one above 1023 with ${flag}.`,
      EADDRNOTAVAIL: `This machine has no address ${host}. Choose another with --host.`,
      ENOTFOUND: `The host ${host} is not known. Choose another with --host.`,
    }
    throw new Error(sentences[code ?? ''] ?? `The server cannot listen on ${host}:${port} (${message}).`, {
      cause: error,
    })
  }
  return server.address() as AddressInfo
}
