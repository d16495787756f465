import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Client } from '../support/client.ts'
import { Gantry } from '../support/gantry.ts'
import { notOn } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const dev = fileURLToPath(new URL('../../tools/dev.mjs', import.meta.url))

/** Resolves with the address of the console once it is served from its sources. */
function serveSources(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      const ready = /^ready (\S+)$/m.exec(output)?.[1]
      if (ready) resolve(ready)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`the command ended with ${code}:\n${output}`)))
  })
}

test(
  'the console served from its sources passes sign-ins and changes on to a server on another loopback port',
  notOn({ preview: 'starts a server of its own', cluster: 'starts a server of its own' }),
  async () => {
    test.setTimeout(180_000)
    const gantry = await new Gantry().start()
    const child = spawn(process.execPath, [dev, '--api', gantry.url, '--port', '0'])
    try {
      const url = await serveSources(child)
      expect(await (await fetch(url)).text()).toContain('/src/main.tsx')
      const client = new Client({ url })
      await client.signIn()
      // A browser names the page's origin in every change.
      const change = { body: { name: 'from-sources', description: '' }, headers: { origin: url } }
      expect((await client.request('POST', '/v1/projects', change)).status).toBe(201)
      expect((await client.send('GET', '/v1/projects/from-sources')).status).toBe(200)
    } finally {
      child.kill()
      await gantry.remove()
    }
  },
)
