import { describe, expect, test } from 'vitest'
import { usualHardware } from '@gantry/api/storage/hardware.rules'
import { machineInterface, machineSpec } from '#src/testing/qemu'
import { machineOf, type MachineSetup, qemuCommand } from './arguments.ts'
import { cdNode, contentOfNode } from './cd-devices.ts'
import { serialNumber } from './disk-devices.ts'
import { inheritedFiles } from './launch.ts'

const disk = (name: string, more = {}) => ({
  id: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  name,
  content_id: name,
  size: 1024 ** 3,
  block_size: 512,
  slot: 0,
  is_boot: false,
  read_only: false,
  ...more,
})
const setup = (more: Partial<MachineSetup> = {}): MachineSetup => ({
  spec: machineSpec({ ncpus: 3, memory: 3 * 1024 ** 3 }),
  accelerator: 'tcg',
  tag: 'abc123',
  files: inheritedFiles(0),
  taps: new Map(),
  ...more,
})
/** The values of an option, in order; JSON as objects. */
const valuesOf = (words: readonly string[], option: string): unknown[] =>
  words.flatMap((word, index) => {
    const value = words[index + 1] ?? ''
    return word === option ? [value.startsWith('{') ? JSON.parse(value) : value] : []
  })

/** The devices of its disks, of those that are described by JSON. */
const diskDevices = (words: readonly string[]) =>
  valuesOf(words, '-device').filter((device) => JSON.stringify(device).includes('"id":"disk'))

describe('the command of a machine', () => {
  test('has its processors, memory and identity, and waits', () => {
    const one = setup()
    const words = qemuCommand(one)
    expect(words).toContain('-S')
    expect(valuesOf(words, '-smp')).toEqual(['cpus=3,sockets=1,cores=3,threads=1'])
    expect(valuesOf(words, '-m')).toEqual([`${3 * 1024 ** 3}B`])
    expect(valuesOf(words, '-uuid')).toEqual([one.spec.id])
    expect(machineOf('abc123', words)).toBe(one.spec.id)
    expect(machineOf('abc124', words)).toBeUndefined()
    expect(machineOf('abc123', ['node', 'gantry.js'])).toBeUndefined()
  })

  test.each([
    ['kvm', 'kvm', 'host'],
    ['tcg', 'tcg,tb-size=64', 'max'],
  ] as const)('with %s', (accelerator, accel, cpu) => {
    const words = qemuCommand(setup({ accelerator }))
    expect([valuesOf(words, '-accel'), valuesOf(words, '-cpu')]).toEqual([[accel], [cpu]])
  })

  test('denies QEMU unneeded rights, and opens no file by its path', () => {
    const spec = machineSpec({ disks: [disk('boot', { is_boot: true })] })
    const words = qemuCommand(setup({ spec, files: inheritedFiles(1) }))
    expect(valuesOf(words, '-sandbox')).toEqual([
      'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny',
    ])
    const paths = words.join(' ').match(/(?<=[="])\/[^",]*/g) ?? []
    expect(paths.filter((path) => !/^\/(dev\/fdset|proc\/self\/fd)\/\d/.test(path))).toEqual([])
  })

  test('shows its screen at a socket in its folder, in a slot that no other device has', () => {
    const words = qemuCommand(setup())
    expect(valuesOf(words, '-vnc')).toEqual([
      `unix:/proc/self/fd/${inheritedFiles(0).sockets}/screen,share=ignore`,
    ])
    expect(valuesOf(words, '-device')).toEqual(
      expect.arrayContaining(['VGA,addr=0x1.0,multifunction=on', 'usb-tablet,bus=usb.0']),
    )
  })

  test('boots from the boot disk only, with sectors that the firmware reads', () => {
    const spec = machineSpec({
      disks: [disk('data', { block_size: 4096, slot: 3 }), disk('boot', { block_size: 4096, is_boot: true })],
    })
    const words = qemuCommand(setup({ spec, files: inheritedFiles(2) }))
    expect(diskDevices(words)).toMatchObject([
      {
        id: 'disk0',
        serial: 'data',
        logical_block_size: 4096,
        physical_block_size: 4096,
        bus: 'plugs',
        addr: '0x3',
      },
      {
        id: 'disk1',
        serial: 'boot',
        logical_block_size: 512,
        physical_block_size: 4096,
        bootindex: 8,
        addr: '0xa',
      },
    ])
    expect(valuesOf(words, '-add-fd')).toEqual(expect.arrayContaining(['fd=9,set=4', 'fd=10,set=5']))
  })

  test('boots from the CDs that its firmware tries before the boot disk, and has drives for others', () => {
    const content_id = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'
    const installer = { name: 'installer', content_id, size: 2048, boots: true }
    const spec = machineSpec({ disks: [disk('boot', { is_boot: true })], cds: [installer, null] })
    const words = qemuCommand(setup({ spec, files: inheritedFiles(1, { hasCds: [true, false] }) }))
    const node = cdNode(0, installer)
    expect(valuesOf(words, '-device')).toEqual(
      expect.arrayContaining([
        { driver: 'ide-cd', id: 'cd0', bus: 'ide.0', drive: node, bootindex: 0 },
        { driver: 'ide-cd', id: 'cd1', bus: 'ide.1' },
      ]),
    )
    expect(valuesOf(words, '-blockdev')).toContainEqual(
      expect.objectContaining({ 'node-name': node, 'read-only': true }),
    )
    expect(valuesOf(words, '-add-fd')).toContain('fd=10,set=110')
    expect([node.length <= 31, contentOfNode(node)]).toEqual([true, content_id])
    expect(contentOfNode(cdNode(1, { content_id: '00000000-0000-4000-8000-000000000000' }))).toBe(
      '00000000-0000-4000-8000-000000000000',
    )
  })

  test('gives a read-only disk no way to be written', () => {
    const spec = machineSpec({ disks: [disk('boot'), disk('tools', { slot: 1, read_only: true })] })
    const nodes = valuesOf(qemuCommand(setup({ spec, files: inheritedFiles(2) })), '-blockdev')
    const shown = nodes.filter((node) => JSON.stringify(node).includes('"disk'))
    expect(shown[0]).not.toHaveProperty('read-only')
    expect(shown[1]).toMatchObject({ 'read-only': true, file: { 'read-only': true } })
    const hardware = { ...spec.hardware, disk_model: 'sata' as const }
    const words = qemuCommand(setup({ spec: { ...spec, hardware }, files: inheritedFiles(2) }))
    expect(diskDevices(words)).toMatchObject([
      { driver: 'ide-hd', serial: 'boot' },
      { driver: 'ide-cd', serial: 'tools' },
    ])
  })

  test('names cannot add options', () => {
    const spec = machineSpec({ disks: [disk('a,drive=x"}', {})] })
    const devices = valuesOf(qemuCommand(setup({ spec, files: inheritedFiles(1) })), '-device')
    expect(devices).toContainEqual(expect.objectContaining({ serial: 'a,drive=x"}', drive: 'disk0' }))
  })

  test('boots by UEFI from files that it inherits, and in system management mode where boot is secure', () => {
    const of = (secure_boot: boolean) => {
      const hardware = {
        ...usualHardware,
        firmware: 'uefi',
        secure_boot,
        variables_id: 'v',
        tpm_id: null,
      } as const
      const spec = machineSpec({ hardware, disks: [disk('boot', { is_boot: true })] })
      return qemuCommand(setup({ spec, files: inheritedFiles(1, { hasFirmware: true }) }))
    }
    const [plain, secure] = [of(false), of(true)]
    expect(valuesOf(plain, '-machine')).toEqual([
      expect.stringMatching(/pflash0=firmware-code,pflash1=firmware-variables$/),
    ])
    expect(valuesOf(plain, '-add-fd')).toEqual(expect.arrayContaining(['fd=10,set=100', 'fd=11,set=101']))
    expect(valuesOf(plain, '-blockdev')).toContainEqual(
      expect.objectContaining({ 'node-name': 'firmware-code', 'read-only': true }),
    )
    expect(valuesOf(secure, '-machine')).toEqual([expect.stringMatching(/,smm=on$/)])
    expect(valuesOf(secure, '-global')).toContain('driver=cfi.pflash01,property=secure,value=on')
    const without = setup({
      spec: machineSpec({
        hardware: { ...usualHardware, firmware: 'uefi', variables_id: 'v', tpm_id: null },
      }),
    })
    expect(() => qemuCommand(without)).toThrow('has no firmware')
  })

  test('has a TPM by the socket after all other files', () => {
    const files = inheritedFiles(2, { hasFirmware: true, hasTpm: true })
    const spec = machineSpec({ disks: [disk('one'), disk('two', { slot: 1 })] })
    const words = qemuCommand(setup({ spec, files }))
    expect(valuesOf(words, '-chardev')).toContain('socket,id=tpm,fd=13')
    expect(inheritedFiles(2, { hasTpm: true }).tpm).toBe(11)
  })

  test('has disks, seed and network that systems without virtio know, and their clock', () => {
    const hardware = {
      ...usualHardware,
      disk_model: 'sata',
      network_model: 'e1000',
      clock: 'local',
      variables_id: null,
      tpm_id: null,
    } as const
    const disks = [
      disk('boot', { is_boot: true, block_size: 4096 }),
      disk('last', { slot: 18, block_size: 4096 }),
    ]
    const spec = machineSpec({ hardware, disks, interfaces: [machineInterface({ id: 'one' })] })
    const words = qemuCommand(setup({ spec, files: inheritedFiles(2), taps: new Map([['one', 'tap1']]) }))
    const devices = valuesOf(words, '-device')
    expect(devices).toEqual(
      expect.arrayContaining([
        'ahci,id=sata0,addr=0xa',
        'ahci,id=sata3,addr=0xd',
        expect.objectContaining({ driver: 'ide-hd', bus: 'sata0.0', logical_block_size: 512, bootindex: 8 }),
        expect.objectContaining({ driver: 'ide-hd', bus: 'sata3.0', logical_block_size: 512 }),
        expect.objectContaining({ driver: 'e1000' }),
        'ide-cd,drive=seed,serial=CIDATA,bus=ide.5',
      ]),
    )
    expect(JSON.stringify(devices)).not.toMatch(/virtio-(?:blk|net)/)
    expect(valuesOf(words, '-rtc')).toEqual(['base=localtime,driftfix=slew'])
  })

  test('gives each interface its tap, in a slot independent of other devices', () => {
    const interfaces = [
      machineInterface({ id: 'one', mac: 'A8:40:25:00:00:01' }),
      machineInterface({ id: 'two', mac: 'A8:40:25:00:00:02', slot: 4 }),
    ]
    const taps = new Map([
      ['one', 'tap1'],
      ['two', 'tap2'],
    ])
    const without = qemuCommand(setup({ spec: machineSpec({ interfaces }), taps }))
    const spec = machineSpec({ interfaces, disks: [disk('data')] })
    const words = qemuCommand(setup({ spec, taps, files: inheritedFiles(1) }))
    expect(valuesOf(words, '-netdev')).toEqual([
      'tap,id=nic0,ifname=tap1,script=no,downscript=no',
      'tap,id=nic1,ifname=tap2,script=no,downscript=no',
    ])
    const cards = (all: readonly string[]) =>
      valuesOf(all, '-device').filter((device) => JSON.stringify(device).includes('virtio-net'))
    expect(cards(words)).toMatchObject([
      { mac: 'a8:40:25:00:00:01', addr: '0x2' },
      { mac: 'a8:40:25:00:00:02', addr: '0x6' },
    ])
    expect(cards(words)).toEqual(cards(without))
    expect(() => qemuCommand(setup({ spec, taps: new Map() }))).toThrow('no port for the interface net0')
  })

  test('has room for the maximum of an instance, and refuses more with a message', () => {
    const disks = Array.from({ length: 30 }, (_, index) => disk(`data-${index}`, { slot: index }))
    expect(() => qemuCommand(setup({ spec: machineSpec({ disks }) }))).toThrow(
      'A machine has 19 slots for disks.',
    )
    const interfaces = Array.from({ length: 9 }, (_, index) =>
      machineInterface({ id: `n${index}`, slot: index }),
    )
    expect(() => qemuCommand(setup({ spec: machineSpec({ interfaces }) }))).toThrow(
      'has 8 slots for network interfaces',
    )
    const doubled = [disk('one'), disk('two')]
    expect(() => qemuCommand(setup({ spec: machineSpec({ disks: doubled }) }))).toThrow('Two disks')
  })
})

test.each([
  ['boot', 'boot'],
  ['database-primary-vol', 'database-primary-vol'],
  ['database-primary-volume-1', 'database-pr_c91e6bf6'],
  ['database-primary-volume-2', 'database-pr_c91e6bf6'],
])('a guest finds the disk %s as %s, whatever else is attached', (name, serial) => {
  expect(serialNumber(disk(name))).toBe(serial)
})
