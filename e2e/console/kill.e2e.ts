import { Client } from '../support/client.ts'
import { Gantry } from '../support/gantry.ts'
import { expect, test } from '../support/test.ts'
import { notOn } from '../support/target.ts'

interface Page<Item> {
  items: Item[]
}

const GiB = 1024 ** 3

const machinesOf = async (client: Client): Promise<{ name: string }[]> =>
  (await client.read<Page<{ name: string }>>('/v1/instances?project=playground&limit=1000')).items

interface BulkAction {
  id: string
  state: string
  items: { state: string; error: { message: string } | null }[]
}

test(
  'a bulk action resumes after a kill, and no item is done twice',
  notOn({ preview: 'kills the process' }),
  async () => {
    test.setTimeout(120_000)
    const gantry = await new Gantry().start()
    try {
      const client = new Client(gantry)
      await client.signIn()
      const instances = Array.from({ length: 150 }, (_, n) => `bulk-${n}`)
      for (const name of instances) {
        const body = { name, description: '', hostname: name, ncpus: 1, memory: GiB, start: false }
        expect((await client.send('POST', '/v1/instances?project=playground', body)).status).toBe(201)
      }
      const body = { action: 'delete', instances }
      const asked = await client.send('POST', '/ext/v1/instance-actions?project=playground', body)
      expect(asked.status).toBe(202)
      const { id } = (await asked.json()) as BulkAction
      const look = () => client.read<BulkAction>(`/ext/v1/instance-actions/${id}`)
      const done = ({ items }: BulkAction): number => items.filter(({ state }) => state === 'done').length
      await expect.poll(async () => done(await look()), { intervals: [5] }).toBeGreaterThan(10)
      await gantry.kill('SIGKILL')

      await gantry.start()
      const after = await look()
      expect(done(after), 'the kill interrupted it').toBeLessThan(instances.length)
      await expect.poll(async () => (await look()).state, { timeout: 60_000, intervals: [250] }).toBe('done')
      // A second deletion of the same instance would have failed.
      expect((await look()).items.filter(({ state }) => state !== 'done')).toEqual([])
      expect(await machinesOf(client)).toEqual([])
    } finally {
      await gantry.remove()
    }
  },
)

test(
  'a second process on the same data directory is refused with an explanation, and the first keeps running',
  notOn({ preview: 'tests processes and their data directory' }),
  async () => {
    const gantry = await new Gantry().start()
    try {
      const { code, output } = await gantry.startSecond()
      expect(code).toBeGreaterThan(0)
      expect(output).toMatch(/The data directory \S+ is in use by process \d+/)
      expect(output).toContain('Stop that process first, or name another directory with --data-dir.')
      expect(output).not.toMatch(/\n\s+at /)
      expect((await fetch(`${gantry.url}/v1/ping`)).status).toBe(200)
    } finally {
      await gantry.remove()
    }
  },
)
