import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

/** Serves the console with the control plane in the page, from sources or as built. */
export async function startPreview(
  name: 'dev' | 'serve-preview',
): Promise<{ url: string; stop: () => void }> {
  const tool = fileURLToPath(new URL(`../../tools/${name}.mjs`, import.meta.url))
  const child = spawn(process.execPath, [tool, '--port', String(await freePort())])
  const url = await new Promise<string>((resolve, reject) => {
    let log = ''
    const read = (chunk: Buffer): void => {
      log += chunk.toString()
      const ready = /^ready (http:\/\/\S+)$/m.exec(log)
      if (ready) resolve(ready[1] ?? '')
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`the preview ended with ${code}:\n${log}`)))
  })
  return { url, stop: () => void child.kill() }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
