import { expect } from 'vitest'
import { test } from './testing/bed.ts'
import { eventually } from './testing/control-plane.ts'

const GiB = 1024 ** 3

test('the main workflow: create from an image, boot, type on the console, stop, delete', async ({ bed }) => {
  const me = await bed.signIn('member')
  const images = await me.get('/v1/images')
  expect(images.body.items.map((image: { name: string }) => image.name)).toEqual([
    'alpine-3-22',
    'debian-13',
    'fedora-43',
  ])
  const image_id = images.body.items[0].id
  const created = await me.post('/v1/instances?project=playground', {
    name: 'web-1',
    description: '',
    ncpus: 2,
    memory: 4 * GiB,
    hostname: 'web-1',
    boot_disk: {
      type: 'create',
      name: 'web-1-boot',
      description: '',
      size: 10 * GiB,
      disk_source: { type: 'image', image_id },
    },
    external_ips: [{ type: 'ephemeral' }],
  })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  expect(created.body.run_state).toBe('starting')
  const at = '/v1/instances/web-1?project=playground'
  await eventually(
    () => me.get(at),
    (answer) => answer.body.run_state === 'starting',
  )
  await eventually(
    () => bed.db.selectFrom('simulated_vm').select('id').execute(),
    (machines) => machines.length > 0,
  )
  bed.pass(3000)
  await eventually(
    () => me.get(at),
    (answer) => answer.body.run_state === 'running',
  )

  const line = await bed.open(me, '/v1/instances/web-1/serial-console/stream?project=playground')
  await eventually(
    async () => line.text(),
    (text) => text.includes('web-1 login: '),
  )
  line.type('ada\r')
  await eventually(
    async () => line.text(),
    (text) => text.includes('Password:'),
  )
  line.type('secret\r')
  await eventually(
    async () => line.text(),
    (text) => text.includes('ada@web-1'),
  )
  line.type('lsblk\r')
  await eventually(
    async () => line.text(),
    (text) => text.includes('vda'),
  )

  const ips = await me.get('/v1/instances/web-1/external-ips?project=playground')
  expect(ips.body.items.map((ip: { kind: string }) => ip.kind)).toEqual(['ephemeral', 'snat'])
  const refused = await me.call('DELETE', at)
  expect(refused.status).toBe(400)

  const stopped = await me.post('/v1/instances/web-1/stop?project=playground')
  expect([stopped.status, stopped.body.run_state]).toEqual([202, 'stopping'])
  bed.pass(1500)
  await eventually(
    () => me.get(at),
    (answer) => answer.body.run_state === 'stopped',
  )
  await eventually(
    async () => line.closed(),
    (closed) => closed !== undefined,
  )
  expect((await me.call('DELETE', at)).status).toBe(204)
  expect((await me.get(at)).status).toBe(404)
  const disk = await me.get('/v1/disks/web-1-boot?project=playground')
  expect(disk.body.state).toEqual({ state: 'detached' })
  expect(bed.logged.filter((line) => line.level === 'error')).toEqual([])
})
