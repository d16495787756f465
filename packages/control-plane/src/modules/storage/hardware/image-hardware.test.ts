import { fleetLacks } from '@gantry/api/system/fleet.rules'
import { usualHardware } from '@gantry/api/storage/hardware.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MiB, GiB } from '@gantry/api/base/bytes.rules'
import type { DriverServices, Fleet, MachineSpec } from '@gantry/control-plane/fleet/fleet'
import { simulatedFleet } from '@gantry/control-plane/fleet/simulated/fleet'
import {
  type Caller,
  eventually,
  settledJobs,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'

/** Machines as they were specified, in order, on a fleet that may lack UEFI. */
const specs: MachineSpec[] = []
let made: Fleet
const offers = { uefi: true, secure_boot: true, tpm: true }
function recordingFleet(given: DriverServices): Fleet {
  const fleet = simulatedFleet(given)
  const ensure = async (spec: MachineSpec): Promise<void> => {
    specs.push(spec)
    await fleet.machines.ensure(spec)
  }
  made = { ...fleet, machines: { ...fleet.machines, offers, ensure } }
  return made
}

let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane({ environment: { fleet: recordingFleet } })
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

const at = (path: string) => `/v1/${path}?project=playground`
const named = (name: string) => ({ name, description: '' })

/** A disk that only UEFI boots: a table with an EFI system partition, and no code in its first sector. */
function bootableByUefi(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(MiB)
  bytes[450] = 0xef
  bytes.set([0x55, 0xaa], 510)
  return bytes
}

async function uploaded(name: string, bytes: Uint8Array<ArrayBuffer>) {
  const upload = await me.post('/ext/v1/image-uploads?project=playground', {
    ...named(name),
    os: 'Linux',
    version: '1',
    block_size: 512,
    size: bytes.length,
    format: 'raw',
  })
  expect(upload.status).toBe(201)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const stored = await bed.plane.fetch(
    new Request(`http://localhost/ext/v1/image-uploads/${upload.body.id}/content?offset=0`, {
      method: 'PUT',
      headers: {
        cookie: me.cookie,
        'content-type': 'application/octet-stream',
        'content-digest': `sha-256=:${btoa(String.fromCharCode(...digest))}:`,
      },
      body: bytes,
    }),
    { address: '127.0.0.1' },
  )
  expect(stored.status).toBe(204)
  await me.post(`/ext/v1/image-uploads/${upload.body.id}/complete`)
  await settledJobs(bed)
  return (await me.get(at(`images/${name}`))).body
}

const machine = (name: string, disk_source: object, more = {}) =>
  me.post(at('instances'), {
    ...named(name),
    ncpus: 1,
    memory: GiB,
    hostname: name,
    boot_disk: { type: 'create', ...named(`${name}-boot`), size: GiB, disk_source },
    ...more,
  })
async function started(name: string): Promise<MachineSpec> {
  await settledJobs(bed)
  const found = specs.findLast((spec) => spec.name === name)
  if (!found) throw new Error(`${name} was not started`)
  return found
}
async function stopped(name: string): Promise<void> {
  await me.post(at(`instances/${name}/stop`))
  await eventually(
    async () => {
      bed.pass(2000)
      return (await me.get(at(`instances/${name}`))).body.run_state
    },
    (state) => state === 'stopped',
  )
}

test('the firmware of an image follows from its bytes, and may be chosen', async () => {
  const [plain, efi] = [await uploaded('plain', new Uint8Array(MiB)), await uploaded('efi', bootableByUefi())]
  const usual = { ...usualHardware, boot_record: 'none' }
  expect(plain.hardware).toEqual(usual)
  expect(efi.hardware).toEqual({ ...usual, firmware: 'uefi', boot_record: 'esp' })
  const choose = (body: object) => me.call('PUT', '/ext/v1/images/plain/hardware?project=playground', body)
  const refused = await choose({ firmware: 'bios', secure_boot: true })
  expect([refused.status, refused.body.message]).toEqual([400, 'Secure boot needs UEFI.'])
  const chosen = await choose({ firmware: 'uefi', disk_model: 'sata', clock: 'local' })
  const hardware = { ...usual, firmware: 'uefi', disk_model: 'sata', clock: 'local' }
  expect([chosen.status, chosen.body.hardware]).toEqual([200, hardware])
  expect((await me.get(at('images/plain'))).body.hardware).toEqual(hardware)
  const more = await choose({ secure_boot: true })
  expect(more.body.hardware).toEqual({ ...hardware, secure_boot: true })
  expect((await choose({ firmware: 'bios' })).status).toBe(400)
})

test('an instance keeps it with its disk, also through snapshots and images of that', async () => {
  const image = await uploaded('kept', bootableByUefi())
  expect((await machine('one', { type: 'image', image_id: image.id })).status).toBe(201)
  const first = await started('one')
  expect(first.hardware).toMatchObject({ firmware: 'uefi', variables_id: expect.any(String) })
  await me.call('PUT', '/ext/v1/images/kept/hardware?project=playground', { firmware: 'bios' })
  expect((await me.get(at('disks/one-boot'))).body.hardware).toEqual({ ...usualHardware, firmware: 'uefi' })
  await stopped('one')
  await me.post(at('instances/one/start'))
  const second = await started('one')
  expect(second.id).not.toBe(first.id)
  expect(second.hardware).toEqual(first.hardware)

  const snapshot = await me.post(at('snapshots'), { ...named('shot'), disk: 'one-boot' })
  const copy = await me.post(at('images'), {
    ...named('copy'),
    os: '',
    version: '',
    source: { type: 'snapshot', id: snapshot.body.id },
  })
  expect(copy.body.hardware).toMatchObject({ firmware: 'uefi' })
  await machine('two', { type: 'snapshot', snapshot_id: snapshot.body.id })
  await machine('three', { type: 'image', image_id: copy.body.id })
  const [two, three] = [await started('two'), await started('three')]
  const variables = [second, two, three].map((spec) => spec.hardware.variables_id)
  expect([two.hardware.firmware, three.hardware.firmware, new Set(variables).size]).toEqual([
    'uefi',
    'uefi',
    3,
  ])
})

test('variables go with their instance, and not before it is gone for good', async () => {
  const image = await uploaded('gone', bootableByUefi())
  await machine('brief', { type: 'image', image_id: image.id })
  const { hardware, instance_id } = await started('brief')
  await stopped('brief')
  const kept = () =>
    bed.db
      .selectFrom('instance_firmware')
      .select('variables_id')
      .where('instance_id', '=', instance_id)
      .execute()
  const { volumes } = made
  await volumes.create(hardware.variables_id ?? '', 1024)
  await me.call('DELETE', at('instances/brief'))
  await settledJobs(bed)
  expect([await kept(), await volumes.size(hardware.variables_id ?? '')]).toEqual([
    [{ variables_id: hardware.variables_id }],
    1024,
  ])
  const [item] = (await me.get('/ext/v1/recycle-bin?project=playground&kind=instance')).body.items
  await me.call('DELETE', `/ext/v1/recycle-bin/${item.id}`)
  await settledJobs(bed)
  expect([await kept(), await volumes.size(hardware.variables_id ?? '')]).toEqual([[], undefined])
})

test('a fleet without UEFI refuses the start with the package that it lacks', async () => {
  const image = await uploaded('lacked', bootableByUefi())
  Object.assign(offers, { uefi: false, secure_boot: false })
  try {
    const source = { type: 'image', image_id: image.id }
    const refused = await machine('never', source)
    expect([refused.status, refused.body.message]).toEqual([400, fleetLacks.uefi])
    expect(refused.body.help).toContain('ovmf')
    expect((await machine('later', source, { start: false })).status).toBe(201)
    const start = await me.post(at('instances/later/start'))
    expect([start.status, start.body.message]).toEqual([400, fleetLacks.uefi])
    expect((await machine('bios', { type: 'blank', block_size: 512 })).status).toBe(201)
  } finally {
    Object.assign(offers, { uefi: true, secure_boot: true })
  }
})

test('an image may say that its machines have a TPM, which each instance keeps', async () => {
  const image = await uploaded('chip', new Uint8Array(MiB))
  await me.call('PUT', '/ext/v1/images/chip/hardware?project=playground', { tpm: true })
  const source = { type: 'image', image_id: image.id }
  await machine('trusted', source)
  const first = await started('trusted')
  expect(first.hardware).toMatchObject({
    firmware: 'bios',
    tpm: true,
    variables_id: null,
    tpm_id: expect.any(String),
  })
  await stopped('trusted')
  await me.post(at('instances/trusted/start'))
  expect((await started('trusted')).hardware).toEqual(first.hardware)
  offers.tpm = false
  const refused = await machine('chipless', source)
  offers.tpm = true
  expect([refused.status, refused.body.message]).toEqual([400, fleetLacks.tpm])
  expect(refused.body.help).toContain('swtpm')
})
