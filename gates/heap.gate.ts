import { chromium } from 'playwright-core'
import { expect, test } from 'vitest'
import { findChromium } from '../e2e/support/chromium.mjs'
import { Client } from '../e2e/support/client.ts'
import { Gantry } from '../e2e/support/gantry.ts'
import { Changes } from './heap/changes.ts'
import { contents } from './heap/contents.ts'
import { NodeHeap } from './heap/node-heap.ts'
import { Visitor } from './heap/visitor.ts'
import { seeded } from './kill/chance.ts'

const minutes = Number(process.env['GANTRY_HEAP_MINUTES'] ?? 30)
/** Before comparing, code is compiled and caches fill for this long. */
const warmUpMinutes = Math.min(5, minutes / 3)
const perSecond = 10
const maxGrowth = 1.1
/**
 * Hot code is recompiled repeatedly, and compiled code counts as heap: in a snapshot over 120 visits it was
 * 0.8 MiB of growth, and the page's own objects 0.02. So the page is measured without it.
 */
const onlyBytecode = '--js-flags=--no-opt --no-maglev --no-sparkplug'

const MiB = 1024 ** 2

interface Sample {
  minute: number
  page: number
  nodes: number
  listeners: number
  server: number
  workers: number
}

test(
  `no heap grows during ${minutes} minutes of ${perSecond} changes a second`,
  { timeout: (minutes * 2 + 5) * 60_000 },
  async () => {
    const found = await findChromium()
    const gantry = await new Gantry({ nodeOptions: ['--inspect=127.0.0.1:0'] }).start()
    const browser = await chromium.launch({ ...found, args: [...found.args, onlyBytecode] })
    try {
      const client = new Client(gantry)
      await client.signIn()
      const changes = new Changes(client, seeded(20_261_121))
      await changes.fill()
      const visitor = await Visitor.open(browser, gantry.url, client.headers['cookie'] ?? '')
      const server = await NodeHeap.open(gantry.inspector ?? '')
      const samples: Sample[] = []
      const began = Date.now()
      const minute = (): number => (Date.now() - began) / 60_000

      const changing = changes.run(perSecond, minutes * 60)
      while (!changes.areOver) {
        await visitor.visit()
        if (!changes.areOver && minute() < samples.length * Math.min(1, minutes / 10)) continue
        const { main, workers } = await server.used()
        const sample = { minute: minute(), ...(await visitor.memory()), server: main, workers }
        samples.push(sample)
        print(sample, gantry.residentMiB())
      }
      await changing
      server.close()
      console.log(`${changes.done} changes, ${changes.refusals.length} refused, ${visitor.visits} visits`)
      // A state may have changed between the read and the action; internal errors are not expected.
      expect(changes.refusals.filter((text) => text.startsWith('5'))).toEqual([])
      await gantry.kill('SIGTERM')
      console.log(await contents(gantry.dataDir))

      const after = samples.filter((sample) => sample.minute >= warmUpMinutes)
      expect(after.length).toBeGreaterThan(5)
      for (const heap of ['page', 'server', 'workers'] as const) {
        const [first, last] = [median(after.slice(0, 3), heap), median(after.slice(-3), heap)]
        const growth = ((last / first - 1) * 100).toFixed(1)
        console.log(`${heap}: ${mib(first)} MiB after the warm-up, ${mib(last)} MiB at the end, ${growth} %`)
        expect(last, `the heap of the ${heap} at the end`).toBeLessThan(first * maxGrowth)
      }
    } finally {
      await browser.close()
      await gantry.remove()
    }
  },
)

function median(samples: readonly Sample[], heap: 'page' | 'server' | 'workers'): number {
  const sorted = samples.map((sample) => sample[heap]).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const mib = (bytes: number): string => (bytes / MiB).toFixed(1)

function print({ minute, page, nodes, listeners, server, workers }: Sample, residentMiB: number): void {
  const inBrowser = `page ${mib(page)} MiB, ${nodes} nodes, ${listeners} listeners`
  const inServer = `server ${mib(server)} MiB, its workers ${mib(workers)} MiB, resident ${residentMiB} MiB`
  console.log(`minute ${minute.toFixed(1)}: ${inBrowser}; ${inServer}`)
}
