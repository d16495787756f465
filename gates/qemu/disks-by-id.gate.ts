import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { Gantry } from '../../e2e/support/gantry.ts'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { socketsFolder } from '../../packages/server/src/fleet/qemu/machine/machine-folder.ts'
import { connectSocket } from '../../packages/server/src/fleet/qemu/machine/qmp.ts'
import { readSpec } from '../../packages/server/src/fleet/qemu/machine/record.ts'
import { removeFromHost } from '../../packages/server/src/testing/on-host.ts'
import { machineFolderIn, machinesIn, missingForQemu } from '../../packages/server/src/testing/qemu.ts'

const image = fileURLToPath(new URL('../../dist/demo-image.qcow2', import.meta.url))
const missing =
  (await missingForQemu()) ??
  (process.getuid?.() === 0 ? undefined : 'it needs root') ??
  (existsSync(image) ? undefined : 'there is no demo image: npm run demo-image makes it')
if (missing) console.warn(`skipped: disks of a real guest, ${missing}`)

const GiB = 1024 ** 3
/** A boot where QEMU translates the guest's code, on a busy host. */
const patienceMs = 300_000

describe.skipIf(missing)('a guest with Linux', () => {
  const gantry = new Gantry({ args: ['--fleet', 'qemu'] })
  const client = new Client(gantry)
  beforeAll(async () => {
    await gantry.start()
    await client.signIn()
  })
  afterAll(async () => {
    await gantry.kill('SIGTERM')
    await removeFromHost(gantry.dataDir)
    await gantry.remove()
  })

  const at = (path: string): string => `/v1/${path}?project=playground`
  const send = <Answer>(path: string, body?: object) => post<Answer>(at(path), body)
  const sendOurs = (path: string, body: object) => post(`/ext${at(path)}`, body)
  async function post<Answer>(path: string, body?: object): Promise<Answer> {
    const response = await client.send('POST', path, body)
    const text = await response.text()
    expect(response.ok, `POST ${path} answered ${response.status}: ${text}`).toBe(true)
    return JSON.parse(text || '{}') as Answer
  }
  const blank = (name: string) => ({
    name,
    description: '',
    size: GiB,
    disk_source: { type: 'blank', block_size: 512 },
  })
  const becomes = (state: string) =>
    eventually(
      () => client.read<{ run_state: string }>(at('instances/web')),
      ({ run_state }) => run_state === state,
      patienceMs,
    )

  /** The console of the only machine, signed in. */
  async function signedIn() {
    await becomes('running')
    const ids = await readdir(machinesIn(gantry.dataDir))
    const specs = await Promise.all(ids.map((id) => readSpec(machineFolderIn(gantry.dataDir, id))))
    const { id } = specs.find(({ name }) => name === 'web') ?? { id: '' }
    const socket = await connectSocket(socketsFolder(machineFolderIn(gantry.dataDir, id)), 'serial')
    let said = ''
    socket.on('data', (bytes: Buffer) => (said += bytes.toString('latin1')))
    const says = (words: RegExp) =>
      eventually(
        async () => said.slice(-4000),
        (text) => words.test(text),
        patienceMs,
      )
    // The login may have been printed before.
    socket.write('\n')
    await says(/web login: $/)
    socket.write('root\n')
    await says(/root@web:.*# /)
    return {
      async run(command: string): Promise<string> {
        said = ''
        // The echo of the command has quotes where its output has none.
        socket.write(`echo "be"gin; ${command}; echo "e"nd\n`)
        const printed = /\nbegin\r\n([^]*)end\r\n/
        return printed.exec(await says(printed))?.[1]?.replaceAll('\r', '') ?? ''
      },
      close: () => socket.destroy(),
    }
  }

  test('finds each disk by its serial number, also after one is attached whose name sorts first, or while it runs', async () => {
    const { items } = await client.read<{ items: { id: string; name: string }[] }>('/v1/images')
    const demo = items.find(({ name }) => name === 'demo-linux')?.id ?? ''
    const boot_disk = {
      type: 'create',
      ...blank('root'),
      disk_source: { type: 'image', image_id: demo },
    }
    const machine = { description: '', hostname: 'web', ncpus: 1, memory: GiB }
    await send('instances', {
      name: 'web',
      ...machine,
      boot_disk,
      disks: [{ type: 'create', ...blank('data') }],
    })
    const byId = 'cd /dev/disk/by-id && for name in *; do echo "$name $(readlink -f "$name")"; done; cd'
    let shell = await signedIn()
    expect(await shell.run(byId)).toBe('virtio-CIDATA /dev/vdc\nvirtio-data /dev/vdb\nvirtio-root /dev/vda\n')
    await shell.run('echo "these are data" >/dev/disk/by-id/virtio-data; sync')
    shell.close()

    await send('instances/web/stop')
    await becomes('stopped')
    const long = 'archive-of-everything-else'
    const { id } = await send<{ id: string }>('disks', blank(long))
    for (const disk of [long, 'a']) {
      if (disk === 'a') await send('disks', blank(disk))
      await send('instances/web/disks/attach', { disk })
    }
    await send('instances/web/start')
    shell = await signedIn()
    expect((await shell.run(byId)).split('\n')).toEqual([
      'virtio-CIDATA /dev/vde',
      'virtio-a /dev/vdd',
      `virtio-archive-of-_${id.slice(-8)} /dev/vdc`,
      'virtio-data /dev/vdb',
      'virtio-root /dev/vda',
      '',
    ])
    expect(await shell.run('head -n 1 /dev/disk/by-id/virtio-data')).toBe('these are data\n')
    // The first start wrote the file on /root, and the system found its disk automatically.
    expect(await shell.run('mount | grep -c "^/dev/vda2 on /root"')).toBe('1\n')

    // While it runs.
    const settles = (wanted: string) =>
      eventually(
        () => client.read<{ state: { state: string } }>(at('disks/hot')),
        ({ state }) => state.state === wanted,
        patienceMs,
      )
    await send('disks', blank('hot'))
    await sendOurs('instances/web/disks/attach', { disk: 'hot' })
    await settles('attached')
    // This guest links disks by their serial numbers at its boot only.
    const find = 'sleep 2; at="$(grep -l hot /sys/block/vd*/serial)"; at="${at%/serial}"'
    const hot = '/dev/${at##*/}'
    const sectors = () => shell.run(`${find}; cat "$at/size"`)
    expect(await sectors()).toBe(`${GiB / 512}\n`)
    await shell.run(`${find}; echo "written while it runs" >${hot}; sync`)
    await sendOurs('disks/hot/grow', { size: 2 * GiB })
    expect(await sectors()).toBe(`${(2 * GiB) / 512}\n`)
    await sendOurs('instances/web/disks/detach', { disk: 'hot' })
    await settles('detached')
    expect(await shell.run('cat /sys/block/vd*/serial | grep -c hot')).toBe('0\n')
    await sendOurs('instances/web/disks/attach', { disk: 'hot' })
    await settles('attached')
    expect(await shell.run(`sleep 2; ${find}; head -n 1 ${hot}`)).toBe('written while it runs\n')
    shell.close()
  })
})
