import { describe, expect, test } from 'vitest'
import { GiB, MiB, TiB } from '../base/bytes.rules.ts'
import {
  imageFileOf,
  qcow2File,
  type Qcow2Options,
  vdiFile,
  type VdiOptions,
  vhdFile,
  type VhdOptions,
  vhdxFile,
  type VhdxOptions,
  vmdkFile,
  type VmdkOptions,
} from './image-file.fixtures.ts'
import type { DiskFormat } from './image-format.rules.ts'
import { readImageHeader } from './image-header.rules.ts'

const read = async (format: DiskFormat, bytes: Uint8Array): Promise<number | string> => {
  const { size, problem } = await readImageHeader(format, imageFileOf(bytes))
  return size ?? problem.message.replace(/^The file is an? \S+ image (?:that )?/, '')
}

const needs = 'needs another file: it'
const dataFile = 0x44415441

describe('qcow2', () => {
  test.each([
    [{}, 10 * GiB],
    [{ version: 2 }, 10 * GiB],
    [{ clusterBits: 9, size: 8 * MiB }, 8 * MiB],
    [{ size: 1023 * GiB }, 1023 * GiB],
    [{ features: [0, 3, 4], tableEntries: 40 }, 10 * GiB],
    [{ extensions: [{ type: 0x6803f857, data: 'dirty bit' }] }, 10 * GiB],
    [{ size: 2 * TiB }, 'of a disk of 2 TiB, and an image has at most 1023 GiB.'],
    [{ size: 2 ** 63, tableEntries: 1 }, 'is damaged: it has a table that is too small for its disk.'],
    [{ size: 0 }, 'is damaged: it names a disk without bytes.'],
    [{ backingFile: '/etc/shadow' }, `${needs} has a backing file.`],
    [{ backingFile: '/etc/shadow', version: 2 }, `${needs} has a backing file.`],
    [{ features: [2] }, `${needs} keeps its data in another file.`],
    [{ extensions: [{ type: dataFile, data: '/etc/shadow' }] }, `${needs} keeps its data in another file.`],
    [
      {
        extensions: [
          { type: 7, data: 'x' },
          { type: dataFile, data: 'f' },
        ],
      },
      `${needs} keeps its data in another file.`,
    ],
    [{ version: 2, extensions: [{ type: dataFile, data: 'f' }] }, `${needs} keeps its data in another file.`],
    [{ encryption: 1 }, 'is encrypted.'],
    [{ encryption: 2, version: 2 }, 'is encrypted.'],
    [{ extensions: [{ type: 0x0537be77, data: 'key slots here.' }] }, 'is encrypted.'],
    [{ features: [1] }, 'is marked as corrupt.'],
    [{ features: [5] }, 'uses features that this server does not know.'],
    [{ features: [40] }, 'uses features that this server does not know.'],
    [{ features: [63] }, 'uses features that this server does not know.'],
    [
      { extensions: [{ type: 7, data: 'x', length: 2 ** 31 }] },
      'is damaged: it has an extension of its header that does not end.',
    ],
    [{ tableEntries: 1 }, 'is damaged: it has a table that is too small for its disk.'],
    [{ features: [4], tableEntries: 20 }, 'is damaged: it has a table that is too small for its disk.'],
    [{ tableOffset: 2 ** 40 }, 'is damaged: it has a table beyond its end.'],
    [{ tableOffset: 2 ** 63 }, 'is damaged: it has a table beyond its end.'],
    [{ tableOffset: 100 }, 'is damaged: it has a table beyond its end.'],
    [{ headerLength: 96 }, 'is damaged: it has a header of an impossible length.'],
    [{ headerLength: 109 }, 'is damaged: it has a header of an impossible length.'],
  ] as [Partial<Qcow2Options>, number | string][])('%j', async (options, expected) =>
    expect(await read('qcow2', qcow2File({ size: 10 * GiB, ...options }))).toBe(expected),
  )

  test.each([8, 22, 255])('clusters of 2^%i bytes are refused', async (bits) => {
    const bytes = qcow2File({ size: GiB })
    new DataView(bytes.buffer).setUint32(20, bits)
    expect(await read('qcow2', bytes)).toBe('is damaged: it has clusters of an impossible size.')
  })

  test('a huge table is refused before it is read', async () => {
    const bytes = qcow2File({ size: GiB })
    new DataView(bytes.buffer).setUint32(36, 2 ** 32 - 1)
    expect(await read('qcow2', bytes)).toBe('is damaged: it has a table that is too large.')
  })
})

describe('VMDK', () => {
  const lines = (...more: string[]) => ['# Disk DescriptorFile', 'createType="monolithicSparse"', ...more]
  const extent = 'RW 20971520 SPARSE "disk.vmdk"'
  test.each([
    [{}, 10 * GiB],
    [{ type: 'streamOptimized' }, 10 * GiB],
    [{ type: 'streamOptimized', footer: 'equal' }, 10 * GiB],
    [{ descriptorSector: 21 }, 10 * GiB],
    [{ descriptor: lines('parentCID=FFFFFFFF', `  ${extent}`) }, 10 * GiB],
    [{ footer: 'of another disk' }, 'is damaged: it says one thing at its start and another at its end.'],
    [{ footer: 'missing' }, 'is damaged: it has no header at its end.'],
    [{ size: 0 }, `${needs} is a list of other files.`],
    [{ size: 2 * TiB }, 'of a disk of 2 TiB, and an image has at most 1023 GiB.'],
    [{ type: 'monolithicFlat' }, 'is of the type monolithicFlat.'],
    [{ type: '' }, 'is damaged: it does not name its type.'],
    [{ descriptor: [''] }, `${needs} is one of several files of an image.`],
    [{ descriptor: lines() }, `${needs} is one of several files of an image.`],
    [
      { descriptor: lines(extent, 'RW 1 SPARSE "other.vmdk"') },
      `${needs} is one of several files of an image.`,
    ],
    [{ descriptor: lines('RW 1 FLAT "/etc/shadow" 0') }, `${needs} is one of several files of an image.`],
    [
      { descriptor: lines(extent, 'rdonly 1 FLAT "/etc/shadow" 0') },
      `${needs} is one of several files of an image.`,
    ],
    [{ descriptor: lines(extent, 'parentCID=00c0ffee') }, `${needs} has a parent.`],
    [{ descriptor: lines(extent, 'parentFileNameHint="/etc/shadow"') }, `${needs} has a parent.`],
    [{ descriptor: lines(extent, 'PARENTFILENAMEHINT = "/etc/shadow"') }, `${needs} has a parent.`],
    [{ descriptor: lines(extent, 'encryption.keySafe = "vmware:key"') }, 'is encrypted.'],
  ] as [Partial<VmdkOptions>, number | string][])('%j', async (options, expected) =>
    expect(await read('vmdk', vmdkFile({ size: 10 * GiB, ...options }))).toBe(expected),
  )

  test('a parent is found where QEMU looks for it, although the descriptor is elsewhere', async () => {
    const bytes = vmdkFile({ size: GiB, descriptorSector: 21 })
    bytes.set(new TextEncoder().encode('parentFileNameHint="/etc/shadow"'), 5000)
    expect(await read('vmdk', bytes)).toBe(`${needs} has a parent.`)
  })

  test.each([
    [4, 4, 'an unknown version'],
    [20, 3, 'grains of an impossible size'],
    [20, 0, 'grains of an impossible size'],
    [36, 2 ** 31, 'a descriptor that is too long'],
    [44, 4096, 'tables of an impossible size'],
  ])('at %i, %i is refused: %s', async (at, value, what) => {
    const bytes = vmdkFile({ size: GiB })
    new DataView(bytes.buffer).setUint32(at, value, true)
    expect(await read('vmdk', bytes)).toBe(`is damaged: it has ${what}.`)
  })
})

describe('VHDX', () => {
  test.each([
    [{}, 10 * GiB],
    [{ size: 64 * TiB }, 'of a disk of 64 TiB, and an image has at most 1023 GiB.'],
    [{ hasParent: true }, `${needs} has a parent.`],
    [{ parentLocator: true }, `${needs} has a parent.`],
    [{ tablesDiffer: true }, 'is damaged: it has two tables of regions that differ.'],
    [{ unknownRegion: true }, 'uses features that this server does not know.'],
  ] as [Partial<VhdxOptions>, number | string][])('%j', async (options, expected) =>
    expect(await read('vhdx', vhdxFile({ size: 10 * GiB, ...options }))).toBe(expected),
  )

  const [table, metadata] = [192 * 1024, 2 * MiB]
  test.each([
    [table + 8, 5000, 'has a table with too many entries'],
    [table + 8, 0, 'has no metadata'],
    [metadata + 10, 65_535, 'has a table with too many entries'],
    [metadata + 10, 2047, 'has a table that names something twice'],
    [metadata + 32 + 16, 0, 'has metadata at an impossible place'],
    [metadata + 32 + 16, 2 ** 31, 'has metadata at an impossible place'],
    [metadata, 0, 'has no metadata'],
  ])('at %i, %i is refused: %s', async (at, value, what) => {
    const bytes = vhdxFile({ size: GiB })
    new DataView(bytes.buffer).setUint32(at, value, true)
    expect(await read('vhdx', bytes)).toBe(`is damaged: it ${what}.`)
  })

  test('one intact region table suffices', async () => {
    const bytes = vhdxFile({ size: GiB })
    bytes.fill(0, table, table + 4)
    expect(await read('vhdx', bytes)).toBe(GiB)
    bytes.fill(0, table + 64 * 1024, table + 64 * 1024 + 4)
    expect(await read('vhdx', bytes)).toBe('is damaged: it has no table of regions.')
  })
})

test.each([
  [{}, 10 * GiB],
  [{ type: 'fixed', size: MiB }, MiB],
  [{ type: 'differencing' }, `${needs} has a parent.`],
  [{ size: 2 * TiB }, 'of a disk of 2 TiB, and an image has at most 1023 GiB.'],
  [{ without: 'footer' }, 'is damaged: it has no footer at its end.'],
  [{ without: 'copy' }, 'is damaged: it has a header that differs from its footer.'],
  [{ copySize: MiB }, 'is damaged: it has a header that differs from its footer.'],
] as [Partial<VhdOptions>, number | string][])('VHD: %j', async (options, expected) =>
  expect(await read('vhd', vhdFile({ size: 10 * GiB, ...options }))).toBe(expected),
)

test('a fixed VHD whose size differs from its footer is refused', async () => {
  const bytes = vhdFile({ size: MiB, type: 'fixed' })
  expect(await read('vhd', bytes.slice(512))).toBe('is damaged: it does not have the size in its footer.')
})

test.each([
  [{}, 10 * GiB],
  [{ type: 2 }, 10 * GiB],
  [{ type: 4 }, `${needs} has a parent.`],
  [{ hasParent: true }, `${needs} has a parent.`],
  [{ type: 3 }, 'is damaged: it is of an unknown type.'],
  [{ blocks: 1 }, 'is damaged: it ends before its last block.'],
] as [Partial<VdiOptions>, number | string][])('VDI: %j', async (options, expected) =>
  expect(await read('vdi', vdiFile({ size: 10 * GiB, ...options }))).toBe(expected),
)

describe('of any file only a little is read, and the result is a size or a message', () => {
  const samples: [DiskFormat, Uint8Array][] = [
    ['qcow2', qcow2File({ size: 10 * GiB, extensions: [{ type: 7, data: 'something' }] })],
    ['vmdk', vmdkFile({ size: 10 * GiB })],
    ['vmdk', vmdkFile({ size: 10 * GiB, type: 'streamOptimized', footer: 'equal' })],
    ['vhdx', vhdxFile({ size: 10 * GiB })],
    ['vhd', vhdFile({ size: 10 * GiB })],
    ['vhd', vhdFile({ size: MiB, type: 'fixed' })],
    ['vdi', vdiFile({ size: 10 * GiB })],
  ]
  /** The same numbers in every run. */
  const numbers = (seed: number) => () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }

  /** What is wrong with the answer about each of these files. */
  async function faultsOf(format: DiskFormat, files: Iterable<Uint8Array>): Promise<string[]> {
    const faults: string[] = []
    for (const bytes of files) {
      const file = imageFileOf(bytes)
      const { size, problem } = await readImageHeader(format, file)
      if (problem === undefined && !(Number.isInteger(size) && size > 0)) faults.push(`size ${size}`)
      for (const text of problem ? [problem.message, problem.help] : [])
        if (!/^[A-Z].*[^.]\.?$/.test(text)) faults.push(text)
      if (file.reads.count > 8 || file.reads.bytes > 256 * 1024) faults.push(JSON.stringify(file.reads))
    }
    return faults
  }

  function* cutOff(sample: Uint8Array) {
    const random = numbers(1)
    for (const length of [0, 1, 4, 71, 72, 103, 511, 512, 513, 1024, sample.length - 1])
      yield sample.slice(0, length)
    for (let round = 0; round < 200; round++) yield sample.slice(0, Math.floor(random() * sample.length))
  }

  function* mutated(sample: Uint8Array) {
    const random = numbers(2)
    const places: number[] = []
    for (let at = 0; at < sample.length; at++) if (sample[at] !== 0) places.push(at)
    const bytes = sample.slice()
    for (let round = 0; round < 1500; round++) {
      const changed = new Set<number>()
      for (let change = 0; change <= random() * 4; change++) {
        // Near what is not zero, or anywhere in the first 128 bytes.
        const near = places[Math.floor(random() * places.length)] ?? 0
        const at = random() < 0.5 ? near + Math.floor(random() * 9) - 4 : Math.floor(random() * 128)
        changed.add(Math.max(0, at))
      }
      for (const at of changed) bytes[at] = random() < 0.3 ? 255 : Math.floor(random() * 256)
      yield bytes
      for (const at of changed) bytes[at] = sample[at] ?? 0
    }
  }

  test.each(samples)('%s cut off anywhere', async (format, sample) =>
    expect(await faultsOf(format, cutOff(sample))).toEqual([]),
  )

  test.each(samples)('%s with random bytes in its header', async (format, sample) =>
    expect(await faultsOf(format, mutated(sample))).toEqual([]),
  )

  test.each(['qcow2', 'vmdk', 'vhdx', 'vhd', 'vdi'] as const)('%s of noise', async (format) => {
    const random = numbers(3)
    const noise = Uint8Array.from({ length: 400_000 }, () => Math.floor(random() * 256))
    const files = [noise, noise.slice().fill(255), noise.slice().fill(0)]
    expect(await faultsOf(format, files)).toEqual([])
  })
})
